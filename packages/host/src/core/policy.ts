import type { Tool } from '@casement/protocol';
import { isToolVisibleTo } from '@casement/protocol';
import type { Decision } from './decision.js';
import { allow, refuse } from './decision.js';

/** Nothing an app asks for is done before its handshake ended. */
export const decideReady = (isInitialized: boolean, method: string): Decision =>
  isInitialized
    ? allow('The app is initialized.')
    : refuse(
        'not-initialized',
        `The app sent ${printable(method)} before ui/notifications/initialized.`,
        'Finish the handshake first: ui/initialize, its answer, then ui/notifications/initialized.',
      );

/** A tool an app may call is in this server's current list and visible to apps (HOST-020, HOST-022, HOST-023). */
export const decideToolCall = (name: string, tools: ReadonlyMap<string, Tool>): Decision => {
  const tool = tools.get(name);
  if (!tool) {
    return refuse(
      'tool-not-found',
      `This app's server lists no tool named ${printable(name)}.`,
      'Call a tool that is in the tools/list of the server this app came from.',
    );
  }
  if (!isToolVisibleTo(tool, 'app')) {
    return refuse(
      'tool-not-visible',
      `The tool ${printable(name)} is not visible to apps.`,
      'Add "app" to _meta.ui.visibility of the tool if apps may call it.',
    );
  }
  return allow('The tool is listed by this server and visible to apps.');
};

const maxResourceUri = 8 * 1024;

/** A read goes to the app's own server, which alone knows its resources; only the shape is judged here. */
export const decideResourceRead = (uri: string): Decision => {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (uri.length > maxResourceUri || !/^[a-z][a-z0-9+.-]*:[^\s\u0000-\u001f\u007f]+$/i.test(uri)) {
    return refuse(
      'resource-refused',
      'The resource address is not a URI.',
      'Send an absolute URI of this server, for example ui://name/page.',
    );
  }
  return allow(
    uri.startsWith('ui:')
      ? 'A UI resource of the same server.'
      : 'A resource of the same server that is not a UI resource.',
  );
};

const maxLink = 2 * 1024;
const loopback = /^(?:localhost|(?:.+\.)localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

/** The host's and the sandbox's own places, which no link may point to. */
export interface OwnPlaces {
  readonly origins: readonly string[];
  /** Host names whose subdomains are ours too: the sandbox's base. */
  readonly suffixes: readonly string[];
}

/** Only plain web pages of others are opened; whether the user wants it is asked afterwards. */
export const decideLink = (link: string, own: OwnPlaces): Decision & { url?: URL } => {
  const invalid = (reason: string): Decision =>
    refuse('link-invalid', reason, 'Send an absolute http or https URL of at most 2 KB.');
  if (link.length === 0 || link.length > maxLink) return invalid('The link is empty or longer than 2 KB.');
  // eslint-disable-next-line no-control-regex -- URL parsing would silently remove them
  if (/[\u0000-\u0020\u007f]/.test(link)) return invalid('The link contains spaces or control characters.');
  if (!URL.canParse(link)) return invalid('The link is not an absolute URL.');
  const url = new URL(link);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse(
      'link-refused',
      `Links with the scheme ${printable(url.protocol)} are not opened.`,
      'Only http and https links are opened.',
    );
  }
  if (url.username || url.password) {
    return refuse(
      'link-refused',
      'The link carries a user name or password.',
      'Send the link without user information.',
    );
  }
  if (url.href.length > maxLink) return invalid('The link is longer than 2 KB.');
  if (isOwnPlace(url, own)) {
    return refuse(
      'link-refused',
      'The link points to the host or its sandbox.',
      'Apps may not open pages of the host that shows them.',
    );
  }
  return { ...allow('A web page of another site.'), url };
};

const isOwnPlace = (url: URL, own: OwnPlaces): boolean =>
  own.suffixes.some((suffix) => url.hostname === suffix || url.hostname.endsWith(`.${suffix}`)) ||
  own.origins.some((origin) => {
    if (!URL.canParse(origin)) return false;
    const place = new URL(origin);
    // All names of this machine lead to the same service when the port is the same.
    const sameMachine = loopback.test(place.hostname) && loopback.test(url.hostname);
    return url.host === place.host || (sameMachine && url.port === place.port);
  });

/** A refusal because something was asked too often. */
export const refuseRate = (what: string): Decision & { allow: false } => ({
  allow: false,
  code: 'rate-limited',
  reason: `The app asked too often: ${what}.`,
  hint: 'Ask once, after something the user did, and wait for the answer.',
});

/** A refusal because the user, asked by the embedder, said no. */
export const toDenial = (code: 'link-denied' | 'message-denied'): Decision & { allow: false } => ({
  allow: false,
  code,
  reason: 'The user said no.',
  hint: 'Do not ask again without a new action of the user.',
});

// Guest text goes into messages that people read: no control or bidi characters, and short.
const printable = (text: string): string => {
  const clean = text.slice(0, 80).replace(/[^\x21-\x7e]/g, '?');
  return `"${clean}${text.length > 80 ? '…' : ''}"`;
};
