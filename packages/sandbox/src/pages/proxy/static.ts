// Fallback 2: this page as one file on any second origin. No header is possible, so the app's policy is added to
// this page as a <meta> before the guest exists, inherited by it, and repeated before the guest's first byte.
// Opened as static-proxy.html#host=<encoded origin of the host page>[&allow-loopback].
import { toAppCsp } from '../../policy/content-security-policy.js';
import { toAllowAttribute } from '../../policy/frame-permissions.js';
import { createDomainGrammar } from '../../policy/domain-grammar.js';
import { toFamily } from '../../families/app-families.js';
import { isOrigin } from '../../policy/origin.js';
import { appPermissions } from '../../policy/sandbox-policy.js';
import { createGuestFrame } from './guest-frame.js';
import { OPAQUE_SANDBOX, toOpaqueDocument } from './opaque-document.js';
import { announceProxy, isFramedBy, startRelay } from './relay.js';

const settings = new URLSearchParams(window.location.hash.slice(1));
const host = settings.get('host') ?? undefined;

const toMetaPolicy = (csp: unknown, hostOrigin: string): string => {
  const declared = typeof csp === 'object' && csp !== null ? csp : {};
  const grammar = createDomainGrammar({
    hostOrigin,
    opaqueBase: window.location.origin,
    allowLoopback: settings.has('allow-loopback'),
  });
  const read = (field: 'connectDomains' | 'resourceDomains' | 'baseUriDomains'): string[] =>
    grammar.parseList(field, Reflect.get(declared, field)).domains;
  return toAppCsp(
    {
      host: hostOrigin,
      declared: declared === csp,
      connect: read('connectDomains'),
      assets: read('resourceDomains'),
      frame: [],
      baseUri: read('baseUriDomains'),
    },
    { kind: 'static' },
  );
};

const isGranted = (permissions: unknown, name: string): boolean =>
  Array.isArray(permissions)
    ? permissions.includes(name)
    : typeof permissions === 'object' && permissions !== null && Object.hasOwn(permissions, name);

if (isOrigin(host) && isFramedBy(host)) {
  const relay = startRelay({
    hostOrigin: host,
    guestOrigin: 'null',
    onResource: ({ csp, permissions, family }) => {
      const policy = toMetaPolicy(csp, host);
      const meta = document.createElement('meta');
      meta.httpEquiv = 'Content-Security-Policy';
      meta.content = policy;
      document.head.append(meta);
      // No attribute escape is needed: the grammar leaves no quote in an origin.
      const shell = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
      const allow = toAllowAttribute(appPermissions.filter((name) => isGranted(permissions, name)));
      const source = { srcdoc: toOpaqueDocument(window.location.origin, toFamily(family), shell) };
      relay.attach(() => createGuestFrame({ sandbox: OPAQUE_SANDBOX, allow, source }));
    },
  });
  announceProxy(host);
}
