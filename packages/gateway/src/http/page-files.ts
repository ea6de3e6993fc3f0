import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
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

/** What the build lays beside a file, the smallest first; none of them has an address of its own. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

/** A file of the page, ready to be sent. */
export interface PageFile {
  body: Uint8Array<ArrayBuffer>;
  headers: Record<string, string>;
  /** The scripts and styles that stand in the document itself, as sources of its policy. */
  inline: InlineSources;
}

interface InlineSources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const noSources: InlineSources = { scripts: [], styles: [] };

/**
 * Reads the file behind a request path, compressed if the request takes that and the build left such a form beside it;
 * undefined for anything that is not a plain file inside the folder (C13). It waits for the disk: a page's own files are
 * few and small, and to have other threads read them takes ten times as long, which the first screen waits for.
 */
export const readPageFile = (pageDir: string, path: string, acceptEncoding = ''): PageFile | undefined => {
  const segments = toSegments(path);
  if (segments === undefined) return undefined;
  const name = segments.length === 0 ? ['index.html'] : segments;
  const extension = extname(name.at(-1) ?? '').toLowerCase();
  const type = types[extension];
  if (type === undefined) return undefined;
  try {
    const root = realpathSync(resolve(pageDir));
    const file = findPlainFile(root, join(root, ...name));
    if (file === undefined) return undefined;
    const headers = { 'Content-Type': type, 'Cache-Control': toCacheControl(name), Vary: 'Accept-Encoding' };
    const accepted = encodings.filter((encoding) => takesEncoding(acceptEncoding, encoding.name));
    const compressed = readFirst(root, file, accepted);
    // Only the document itself says which of its scripts are its own.
    const isDocument = extension === '.html';
    const plain = isDocument || compressed === undefined ? new Uint8Array(readFileSync(file)) : undefined;
    const inline = isDocument && plain !== undefined ? readInlineSources(plain) : noSources;
    if (compressed !== undefined)
      return { body: compressed.body, headers: { ...headers, 'Content-Encoding': compressed.name }, inline };
    return plain && { body: plain, headers, inline };
  } catch {
    return undefined;
  }
};

/** Where a path of the folder leads; a link inside the folder that leads out of it is not part of the page. */
const findPlainFile = (root: string, path: string): string | undefined => {
  const file = realpathSync(path);
  return file.startsWith(root + sep) && statSync(file).isFile() ? file : undefined;
};

const readFirst = (
  root: string,
  file: string,
  wanted: readonly (typeof encodings)[number][],
): { readonly name: string; readonly body: Uint8Array<ArrayBuffer> } | undefined => {
  for (const { name, extension } of wanted) {
    // Not every file has a compressed form.
    if (!existsSync(`${file}${extension}`)) continue;
    const found = findPlainFile(root, `${file}${extension}`);
    if (found !== undefined) return { name, body: new Uint8Array(readFileSync(found)) };
  }
  return undefined;
};

/** Whether an Accept-Encoding header names an encoding and does not refuse it (`q=0`); the star names none. */
const takesEncoding = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter));
  });

const toSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The hashes of what a document of the page has in itself; the build writes those elements without attributes. */
const readInlineSources = (document: Uint8Array): InlineSources => {
  const html = new TextDecoder().decode(document);
  return { scripts: readElements(html, 'script'), styles: readElements(html, 'style') };
};

const readElements = (html: string, name: string): string[] => {
  const sources: string[] = [];
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let at = html.indexOf(open); at >= 0; at = html.indexOf(open, at)) {
    const end = html.indexOf(close, at);
    if (end < 0) break;
    sources.push(toSource(html.slice(at + open.length, end)));
    at = end;
  }
  return sources;
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
 * its own files runs, and what a document of it has in itself by hash; only the sandbox may be framed, and nobody may
 * frame it.
 */
export const toPageHeaders = (
  { sandboxOrigin, opaqueBase }: GatewayAddress,
  { scripts, styles }: InlineSources = noSources,
): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
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
