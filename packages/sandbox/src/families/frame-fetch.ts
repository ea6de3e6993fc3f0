/** The script that a host hands to a loader to have the app's frame read a text under the app's policy. */
export { frameFetchScript } from '../generated/frame-fetch.js';
