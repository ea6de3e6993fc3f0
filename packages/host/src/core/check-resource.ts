import type { ResourceListing } from '@casement/protocol';
import { readAppHtml, readResourceUi } from '@casement/protocol/resource';
import type { AppResource } from './app-resource.js';

/** Loaded on demand, like the sandbox's builders. Checks what the server returned and gathers its metadata. */
export const toAppResource = async (
  uri: string,
  result: unknown,
  listing: ResourceListing | undefined,
  maxBytes: number,
): Promise<AppResource> => {
  const { html, family, item, findings } = readAppHtml(result, uri, { maxBytes });
  const ui = readResourceUi({ content: item, ...(listing ? { listing } : {}) });
  const bytes = new TextEncoder().encode(html);
  return {
    uri,
    html,
    hash: await toHash(bytes),
    bytes: bytes.byteLength,
    family,
    ...(ui.csp ? { csp: ui.csp } : {}),
    permissions: ui.permissions,
    ...(ui.domain === undefined ? {} : { domain: ui.domain }),
    ...(ui.prefersBorder === undefined ? {} : { prefersBorder: ui.prefersBorder }),
    provenance: ui.provenance,
    findings: [...findings, ...ui.findings],
  };
};

const toHash = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  // Absent on plain http pages that are not loopback, which a static sandbox may be embedded in.
  if (!globalThis.crypto?.subtle) return '';
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
