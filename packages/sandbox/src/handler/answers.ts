// What the sandbox answers with: empty answers, and its four kinds of pages.
import type { AppFamily } from '@casement/protocol';
import { frameStyle } from '../generated/frame.js';
import { opaqueScript } from '../generated/opaque.js';
import { probeScript } from '../generated/probe.js';
import { proxyScript } from '../generated/proxy.js';
import { loaderScripts } from '../families/loader-scripts.js';
import { STRICT_CSP } from '../policy/content-security-policy.js';
import { SANDBOX_RELEASE } from '../release.js';

/** What is read of a request; every `Request` has it. */
export interface SandboxRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
}

/** An answer, before anything is made of it that a server can send. */
export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ArrayBuffer | null;
}

// Every answer, also a refusal: a bare 404 on an app's origin was a way out of its policy.
const everyAnswer = {
  'content-security-policy': STRICT_CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  // Own process per origin: a busy app must not freeze its neighbours (T13). Must not vary within an origin.
  'origin-agent-cluster': '?1',
};

/** One hour only, because a page also carries the handler's own options, which may change. */
const cacheable = 'public, max-age=3600';

/** An answer without a body. */
export const toAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): SandboxAnswer => ({
  status,
  headers: { ...everyAnswer, ...headers },
  body: null,
});

/** An HTML page: compressed if the client takes gzip, cacheable if its address names this very release. */
export const toPageAnswer = async (
  html: string,
  request: SandboxRequest,
  headers: Readonly<Record<string, string>>,
): Promise<SandboxAnswer> => {
  const releases = new URL(request.url).searchParams.getAll('v');
  const isOwnRelease = releases.length === 1 && releases[0] === SANDBOX_RELEASE;
  const page = {
    ...everyAnswer,
    'content-type': 'text/html; charset=utf-8',
    vary: 'Accept-Encoding',
    ...(isOwnRelease ? { 'cache-control': cacheable } : {}),
    ...headers,
  };
  if (!takesGzip(request) || typeof CompressionStream !== 'function')
    return { status: 200, headers: page, body: html };
  return { status: 200, headers: { ...page, 'content-encoding': 'gzip' }, body: await compress(html) };
};

/** The pages that were asked for last, compressed: an app is shown again and again, and somebody waits each time. */
const compressed = new Map<string, Promise<ArrayBuffer>>();
const maxCompressed = 16;

const compress = (html: string): Promise<ArrayBuffer> => {
  const kept = compressed.get(html);
  compressed.delete(html);
  // Whole, so that whoever serves it can say how long it is.
  const body = kept ?? readWhole(new Blob([html]).stream().pipeThrough(new CompressionStream('gzip')));
  compressed.set(html, body);
  body.catch(() => compressed.delete(html));
  for (const oldest of compressed.keys()) {
    if (compressed.size <= maxCompressed) break;
    compressed.delete(oldest);
  }
  return body;
};

/** By hand: in Node a `Response` brings all of `fetch` with it, and takes longer to load than a page to compress. */
const readWhole = async (stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer> => {
  const chunks: Uint8Array[] = [];
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole.buffer;
};

const takesGzip = (request: SandboxRequest): boolean =>
  (request.headers.get('accept-encoding') ?? '').split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0{0,3})?$/.test(text));
  });

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const toPage = (values: Readonly<Record<string, string>>, head: string, script: string): string => {
  const attributes = Object.entries(values).map(
    ([name, value]) => ` data-${name}="${escapeAttribute(value)}"`,
  );
  return `<!doctype html><html lang="en"${attributes.join('')}><head><meta charset="utf-8"><title>MCP App</title>${head}</head><body><script>${script}</script></body></html>`;
};

/** The trusted page between host and app: the same code for every app. */
export const toProxyPage = (values: { host: string; app: string; allow: string; sandbox: string }): string =>
  toPage(values, `<style>${frameStyle}</style>`, proxyScript);

/** Fallback 1: proxy and policy carrier of an opaque app. */
export const toOpaquePage = (values: { host: string; allow: string; family: AppFamily }): string =>
  toPage(values, `<style>${frameStyle}</style>`, opaqueScript);

/** The page that tells whoever frames it how the sandbox would answer. */
export const toProbePage = (verdict: string): string => toPage({ verdict }, '', probeScript);

/** The page that becomes the app, in the way of its family. */
export const toLoaderPage = (values: { proxy: string }, family: AppFamily): string =>
  toPage(values, '', loaderScripts[family]);
