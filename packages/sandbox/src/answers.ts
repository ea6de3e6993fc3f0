import { STRICT_CSP } from './content-policy.js';
import { SANDBOX_RELEASE } from './release.js';

// Every answer, also a refusal: a bare 404 on an app's origin was a way out of its policy.
const everyAnswer = {
  'content-security-policy': STRICT_CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  // Own process per origin: a busy app must not freeze its neighbours (T13). Must not vary within an origin.
  'origin-agent-cluster': '?1',
};

/** An hour, and anew when the reader reloads: the handler's own options, which a page also holds, may have changed. */
const cacheable = 'public, max-age=3600';

/** An answer without a body. */
export const toAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers: { ...everyAnswer, ...headers } });

/** An HTML page, compressed for who takes that, kept by browsers when its address names this very release. */
export const toPageAnswer = async (
  html: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
): Promise<Response> => {
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
    return new Response(html, { headers: page });
  const compressed = new Blob([html]).stream().pipeThrough(new CompressionStream('gzip'));
  // Whole, so that whoever serves it can say how long it is.
  const body = await new Response(compressed).arrayBuffer();
  return new Response(body, { headers: { ...page, 'content-encoding': 'gzip' } });
};

const takesGzip = (request: Request): boolean =>
  (request.headers.get('accept-encoding') ?? '').split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0{0,3})?$/.test(text));
  });
