// The least that can show a guest on an origin of its own behind a proxy on another: no policy of the app's own, no
// checks, no limits. What the browser has to do for the frames is the same as for ours, because a page that is spared
// that work would not show what our code costs:
// - both frames have our sandbox tokens, a long `allow`, no referrer; the outer one is credentialless;
// - both answers carry Origin-Agent-Cluster (hence a process for each origin), a content policy, a permissions policy
//   and a connection allowlist as long as ours, are compressed, and may be cached for as long;
// - both origins are of one site, another than the page's, as our proxy and our apps are;
// - every run has a browser context of its own, so that nothing of either is cached.
import { gzipSync } from 'node:zlib';

/** Attributes of both frames, as those of an app that declares nothing. */
export const frameAttributes = {
  sandbox: 'allow-scripts allow-same-origin allow-forms',
  allow: [
    ...['camera', 'clipboard-write', 'geolocation', 'microphone', 'clipboard-read', 'display-capture'],
    ...['fullscreen', 'hid', 'local-network-access', 'loopback-network', 'midi', 'payment'],
    ...['publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'browsing-topics', 'gamepad'],
    ...['ch-ua-high-entropy-values', 'deferred-fetch-minimal', 'interest-cohort', 'picture-in-picture'],
    ...['private-state-token-issuance', 'private-state-token-redemption', 'storage-access'],
  ]
    .map((feature) => `${feature} 'none'`)
    .join('; '),
  referrerpolicy: 'no-referrer',
};

const sandboxRule = `sandbox ${frameAttributes.sandbox}`;

const toCommonHeaders = (policy) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy.join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'origin-agent-cluster': '?1',
  'cache-control': 'public, max-age=3600',
  vary: 'Accept-Encoding',
  'content-encoding': 'gzip',
});

const toAnswer = (script, headers) => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>MCP App</title><style>html,body{margin:0;height:100%}iframe{border:0;display:block;width:100%;height:100%}</style></head><body><script>${script}</script></body></html>`;
  return new Response(gzipSync(html), { headers });
};

/** The middle page: passes everything between its parent and its only frame. */
export const toRelayAnswer = ({ guestOrigin, hostOrigin }) =>
  toAnswer(
    `const inner = document.createElement('iframe');
    for (const [name, value] of Object.entries(${JSON.stringify(frameAttributes)})) inner.setAttribute(name, value);
    inner.src = ${JSON.stringify(`${guestOrigin}/loader`)};
    document.body.append(inner);
    addEventListener('message', ({ source, data }) => {
      if (source === parent) inner.contentWindow.postMessage(data, '*');
      else if (source === inner.contentWindow) parent.postMessage(data, '*');
    });`,
    toCommonHeaders([
      "default-src 'none'",
      "script-src 'unsafe-inline'",
      "style-src 'unsafe-inline'",
      `frame-src ${guestOrigin}`,
      `frame-ancestors ${hostOrigin}`,
      "base-uri 'none'",
      "form-action 'none'",
      sandboxRule,
    ]),
  );

/** The page that becomes the guest. */
export const toLoaderAnswer = ({ relayOrigin, hostOrigin }) =>
  toAnswer(
    `addEventListener('message', ({ data }) => {
      document.open();
      document.write(data.html);
      document.close();
    }, { once: true });
    parent.postMessage({ method: 'loader-ready' }, '*');`,
    {
      ...toCommonHeaders([
        "default-src 'none'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "connect-src 'none'",
        'worker-src blob:',
        "frame-src 'none'",
        "object-src 'none'",
        "form-action 'none'",
        "base-uri 'self'",
        `frame-ancestors ${relayOrigin} ${hostOrigin}`,
        sandboxRule,
      ]),
      'connection-allowlist': '(response-origin)',
      'permissions-policy': frameAttributes.allow.replaceAll(" 'none'; ", '=(), ').replace(" 'none'", '=()'),
    },
  );
