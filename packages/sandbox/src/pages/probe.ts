// Tells the page around it what the handler wrote: why a sandbox would not serve it. Nothing of that is a secret, so
// the page need not be one that the sandbox knows.
import { SANDBOX_RELEASE } from '../release.js';

const { verdict } = document.documentElement.dataset;

window.parent.postMessage({ casementProbe: verdict, release: SANDBOX_RELEASE }, '*');
