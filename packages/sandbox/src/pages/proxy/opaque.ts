// Fallback 1: the guest is opaque inside this page and inherits this page's header policy, which is the app's.
import { toFamily } from '../../families/app-families.js';
import { createGuestFrame } from './guest-frame.js';
import { toOpaqueDocument, OPAQUE_SANDBOX } from './opaque-document.js';
import { announceProxy, isFramedBy, startRelay } from './relay.js';

const { host, allow, family } = document.documentElement.dataset;

if (isFramedBy(host) && allow !== undefined) {
  const relay = startRelay({ hostOrigin: host, guestOrigin: 'null' });
  const source = { srcdoc: toOpaqueDocument(window.location.origin, toFamily(family)) };
  relay.attach(() => createGuestFrame({ sandbox: OPAQUE_SANDBOX, allow, source }));
  announceProxy(host);
}
