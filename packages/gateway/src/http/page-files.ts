import { readFile, realpath, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import type { GatewayAddress } from './gateway-address.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** A file of the page, ready to be sent. */
export interface PageFile {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
}

/** Reads the file behind a request path; undefined for anything that is not a plain file inside the folder (C13). */
export const readPageFile = async (pageDir: string, path: string): Promise<PageFile | undefined> => {
  const segments = toSegments(path);
  if (segments === undefined) return undefined;
  const name = segments.length === 0 ? ['index.html'] : segments;
  const extension = extname(name.at(-1) ?? '').toLowerCase();
  const type = types[extension];
  if (type === undefined) return undefined;
  try {
    const root = await realpath(resolve(pageDir));
    const file = await realpath(join(root, ...name));
    // A link inside the folder that leads out of it is not part of the page.
    if (!file.startsWith(root + sep) || !(await stat(file)).isFile()) return undefined;
    return {
      body: new Uint8Array(await readFile(file)),
      headers: { 'Content-Type': type, 'Cache-Control': toCacheControl(name) },
    };
  } catch {
    return undefined;
  }
};

const toSegments = (path: string): string[] | undefined => {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const isPlain = (segment: string): boolean =>
    // eslint-disable-next-line no-control-regex -- NUL and its like end a path early in some systems
    !segment.startsWith('.') && !/[\\:\u0000-\u001f]/.test(segment);
  return segments.every(isPlain) ? segments : undefined;
};

/** The build puts a hash of the content, eight letters, into the names under assets/: such a file never changes. */
const toCacheControl = (segments: readonly string[]): string => {
  const isHashed = segments[0] === 'assets' && /-[\w-]{8}\.\w+$/.test(segments.at(-1) ?? '');
  return isHashed ? 'public, max-age=31536000, immutable' : 'no-store';
};

/**
 * The headers of every file of the page. A script that got into it would command processes (T18), so nothing but
 * its own files runs, only the sandbox may be framed, and nobody may frame it.
 */
export const toPageHeaders = ({ sandboxOrigin, opaqueBase }: GatewayAddress): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${sandboxOrigin} ${opaqueBase}`,
    `frame-src ${sandboxOrigin} ${opaqueBase}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});
