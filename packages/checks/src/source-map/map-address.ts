import type { SourceRefusal } from './refusal.js';

const word = 'sourceMappingURL=';
/** What a bundler wrote last counts; a text that only looks like the comment may stand before or after it. */
const maxTries = 20;

/** The address of the map that a script names in its last comment of that kind. */
export const readMapAddress = (script: string): string | undefined => {
  let at = script.length;
  for (let tries = 0; tries < maxTries; tries += 1) {
    at = at < 0 ? -1 : script.lastIndexOf(word, at);
    if (at < 0) return undefined;
    const before = script.slice(Math.max(0, at - 12), at);
    if (/\/[/*][#@][ \t]+$/.test(before)) {
      const rest = script.slice(at + word.length);
      const end = rest.search(/[\s'"]|\*\//);
      const address = end < 0 ? rest : rest.slice(0, end);
      if (address !== '') return address;
    }
    at -= 1;
  }
  return undefined;
};

/** A name that a script gives itself, under which the browser then tells its places. */
export const readOwnName = (script: string): string | undefined => {
  const at = script.lastIndexOf('sourceURL=');
  if (at < 0 || !/\/[/*][#@][ \t]+$/.test(script.slice(Math.max(0, at - 12), at))) return undefined;
  return /^[^\s'"*]+/.exec(script.slice(at + 'sourceURL='.length, at + 500))?.[0];
};

/** Where the text of a map is: here, or where somebody has to read it. */
export type MapAddress =
  | { readonly kind: 'inline'; readonly text: string }
  /** Of the app's server, by `resources/read`. */
  | { readonly kind: 'resource'; readonly uri: string }
  /** Only the app's own frame may fetch it. */
  | { readonly kind: 'fetch'; readonly url: string }
  | { readonly kind: 'refused'; readonly refusal: SourceRefusal };

const maxAddress = 2_000;

const refuse = (reason: string, nextStep: string): MapAddress => ({
  kind: 'refused',
  refusal: { code: 'map-address', reason, nextStep },
});

const nextStep =
  'Put the map into the script itself (esbuild: sourcemap: "inline"; Vite: build.sourcemap: "inline"), or serve it as a resource with a ui:// address.';

const readDataAddress = (address: string): MapAddress => {
  const comma = address.indexOf(',');
  const head = comma < 0 ? '' : address.slice(0, Math.min(comma, 200));
  if (comma < 0) return refuse('The data: address of the source map has no comma, so no content.', nextStep);
  const body = address.slice(comma + 1);
  try {
    const text = /;\s*base64\s*$/i.test(head) ? readBase64(body) : decodeURIComponent(body);
    return { kind: 'inline', text };
  } catch {
    return refuse('The data: address of the source map cannot be decoded.', nextStep);
  }
};

/** UTF-8 in base64 as a text; throws for what is none. */
export const readBase64 = (body: string): string => {
  const bytes = atob(body);
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
  );
};

/**
 * What an address that a script names means, seen from where the script was: the `ui://` address of the app for its
 * inline scripts. Addresses of files and all others mean nothing here.
 */
export const resolveMapAddress = (address: string, base: string): MapAddress => {
  if (/^data:/i.test(address)) return readDataAddress(address);
  if (address.length > maxAddress) return refuse('The address of the source map is too long.', nextStep);
  if (!URL.canParse(address, base))
    return refuse('The script names its source map by an address that cannot be read.', nextStep);
  const url = new URL(address, base);
  if (url.protocol === 'ui:') return { kind: 'resource', uri: url.href };
  if (url.protocol === 'http:' || url.protocol === 'https:') return { kind: 'fetch', url: url.href };
  return refuse(
    `The script names its source map by an address with ${url.protocol}, which is never opened.`,
    nextStep,
  );
};
