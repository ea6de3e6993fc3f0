/** The script that a host hands to a loader with the app, to hear in full what the app's page does. */
export { evidenceScript } from '../generated/evidence.js';
