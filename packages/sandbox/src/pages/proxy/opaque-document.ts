import type { AppFamily } from '@casement/protocol';
import { loaderScripts } from '../../families/loader-scripts.js';

/** Without allow-same-origin: this page's origin must never be the guest's (T1). */
export const OPAQUE_SANDBOX = 'allow-scripts allow-forms';

/** The document an opaque guest starts as: the same loader, told which origin it listens to. */
export const toOpaqueDocument = (proxyOrigin: string, family: AppFamily, head = ''): string =>
  `<!doctype html><html data-proxy="${proxyOrigin}"><head>${head}<script>${loaderScripts[family]}</script></head></html>`;
