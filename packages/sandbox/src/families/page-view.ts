/** The script that a host hands to a loader to read what the user would miss of an app's page, or to fill it in. */
export { pageViewScript } from '../generated/page-view.js';
