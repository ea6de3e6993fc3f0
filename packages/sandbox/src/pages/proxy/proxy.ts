// The proxy of the three-origin sandbox. The handler wrote the host's origin and the app's address into the page.
import { createGuestFrame } from './guest-frame.js';
import { announceProxy, isFramedBy, startRelay } from './relay.js';

const { host, app, allow, sandbox } = document.documentElement.dataset;

if (isFramedBy(host) && app !== undefined && allow !== undefined && sandbox !== undefined) {
  const guestOrigin = new URL(app).origin;
  const relay = startRelay({ hostOrigin: host, guestOrigin });
  relay.attach(() => createGuestFrame({ sandbox, allow, source: { src: app } }));
  announceProxy(host, guestOrigin);
}
