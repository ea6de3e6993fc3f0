import type { Decision } from './decision.js';
import { allow, refuse } from './decision.js';
import { toQuoted } from './policy-text.js';
import type { AppOptions, LinkRequest } from './session-options.js';

const maxLink = 2 * 1024;
const loopback = /^(?:localhost|(?:.+\.)localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

/** The host's and the sandbox's own places, which no link may point to. */
export interface OwnPlaces {
  readonly origins: readonly string[];
  /** Host names whose subdomains are ours too: the sandbox's base. */
  readonly suffixes: readonly string[];
}

/** Only plain web pages of others, and mail where the embedder wants it; whether the user does is asked afterwards. */
export const decideLink = (
  link: string,
  own: OwnPlaces,
  links: AppOptions['links'] = {},
): Decision & { url?: URL } => {
  const invalid = (reason: string): Decision =>
    refuse('link-invalid', reason, 'Send an absolute http or https URL of at most 2 KB.');
  if (link.length === 0 || link.length > maxLink) return invalid('The link is empty or longer than 2 KB.');
  // eslint-disable-next-line no-control-regex -- URL parsing would silently remove them
  if (/[\u0000-\u0020\u007f]/.test(link)) return invalid('The link contains spaces or control characters.');
  if (!URL.canParse(link)) return invalid('The link is not an absolute URL.');
  const url = new URL(link);
  if (url.href.length > maxLink) return invalid('The link is longer than 2 KB.');
  if (url.protocol === 'mailto:' && links.mailto) return decideMail(url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse(
      'link-refused',
      `Links with the scheme ${toQuoted(url.protocol)} are not opened.`,
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
  if (isOwnPlace(url, own)) {
    return refuse(
      'link-refused',
      'The link points to the host or its sandbox.',
      'Apps may not open pages of the host that shows them.',
    );
  }
  return { ...allow('A web page of another site.'), url };
};

/** One plain address, a subject and a text: further recipients, attachments and smuggled header lines are for nobody. */
const decideMail = (url: URL): Decision & { url?: URL } => {
  const isPlain =
    /^[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(url.pathname) &&
    [...url.searchParams].every(
      // eslint-disable-next-line no-control-regex -- a line break would begin another header
      ([name, value]) => name === 'body' || (name === 'subject' && !/[\u0000-\u001f]/.test(value)),
    );
  return isPlain
    ? { ...allow('A mail to one address.'), url }
    : refuse(
        'link-refused',
        'The mail link has more than one plain address, a subject and a body.',
        'Send mailto:name@example.com?subject=…&body=…',
      );
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

/** What an embedder is asked about a link that policy let pass. */
export const toLinkRequest = (url: URL, server: string): LinkRequest => ({
  url: url.href,
  host: url.host || url.pathname,
  server,
  warnings: [
    ...(/(?:^|\.|@)xn--/.test(url.host || url.pathname) ? (['look-alike'] as const) : []),
    ...(isPrivateAddress(url.hostname) ? (['private-address'] as const) : []),
  ],
});

/** What a remembered yes to a link is limited to: its origin, or the address of a mail. */
export const toLinkScope = (url: URL): string =>
  url.protocol === 'mailto:' ? `mailto:${url.pathname}` : url.origin;

/** Whether the embedder listed the link's origin among those that need no question. */
export const isTrustedLink = (url: URL, links: AppOptions['links']): boolean =>
  url.protocol !== 'mailto:' &&
  (links?.trusted ?? []).some((entry) => URL.canParse(entry) && new URL(entry).origin === url.origin);

/** A place in the user's own network or machine, as far as the address itself tells (E06); names are not looked up. */
const isPrivateAddress = (host: string): boolean => {
  if (host === '') return false;
  if (host.startsWith('[')) return isPrivateIpv6(host.slice(1, -1));
  const name = host.replace(/\.$/, '');
  const parts = name.split('.');
  // The URL parser has turned every spelling of an IPv4 address into four decimal numbers.
  if (/^\d+$/.test(parts.at(-1) ?? '')) return isPrivateIpv4(parts.map(Number));
  return parts.length === 1 || /\.(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/.test(name);
};

const isPrivateIpv4 = ([a = 0, b = 0]: readonly number[]): boolean =>
  a === 0 ||
  a === 10 ||
  a === 127 ||
  (a === 100 && b >= 64 && b < 128) ||
  (a === 169 && b === 254) ||
  (a === 172 && b >= 16 && b < 32) ||
  (a === 192 && b === 168);

// Loopback and unspecified, IPv4 inside IPv6 (always shown: it hides what it is), unique local, link and site local.
const isPrivateIpv6 = (address: string): boolean =>
  /^::(?:1)?$/.test(address) || /^(?:::ffff:|64:ff9b:|f[cd][\da-f]{2}:|fe[89a-f][\da-f]:)/.test(address);
