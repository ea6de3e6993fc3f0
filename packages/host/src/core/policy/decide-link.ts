import { isLoopbackName, isPrivateHost } from '@casement/sandbox/private-hosts';
import type { Decision } from './decision.js';
import { allow, refuse } from './decision.js';
import { toQuoted } from './to-quoted.js';
import type { SessionOptions, LinkRequest } from '../session-options.js';

const maxLink = 2 * 1024;
// Longer names are warned of: nobody reads them to the end, which decides whose they are (E09).
const maxHostName = 100;

/** The host's and the sandbox's own places, which no link may point to. */
export interface OwnPlaces {
  readonly origins: readonly string[];
  /** Host names whose subdomains are ours too: the sandbox's base. */
  readonly suffixes: readonly string[];
}

/**
 * Allows links to web pages of other sites and, if the embedder allows them, mail links. The user is asked afterwards.
 */
export const decideLink = (
  link: string,
  own: OwnPlaces,
  links: SessionOptions['links'] = {},
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

// The unspecified address leads to this machine as well.
const isThisMachine = (name: string): boolean => {
  const host = name.replace(/\.$/, '');
  return isLoopbackName(host) || host === '0.0.0.0' || host === '[::]';
};

const isOwnPlace = (url: URL, own: OwnPlaces): boolean =>
  own.suffixes.some((suffix) => url.hostname === suffix || url.hostname.endsWith(`.${suffix}`)) ||
  own.origins.some((origin) => {
    if (!URL.canParse(origin)) return false;
    const place = new URL(origin);
    // All names of this machine lead to the same service when the port is the same.
    const sameMachine = isThisMachine(place.hostname) && isThisMachine(url.hostname);
    return url.host === place.host || (sameMachine && url.port === place.port);
  });

/** What an embedder is asked about a link that policy let pass. */
export const toLinkRequest = (url: URL, server: string): LinkRequest => ({
  url: url.href,
  host: url.host || url.pathname,
  server,
  warnings: [
    ...(/(?:^|\.|@)xn--/.test(url.host || url.pathname) ? (['look-alike'] as const) : []),
    ...(url.hostname !== '' && isPrivateHost(url.hostname) ? (['private-address'] as const) : []),
    ...(url.hostname.length > maxHostName ? (['long-name'] as const) : []),
  ],
});

/** What a remembered yes to a link is limited to: its origin, or the address of a mail. */
export const toLinkScope = (url: URL): string =>
  url.protocol === 'mailto:' ? `mailto:${url.pathname}` : url.origin;

/** Whether the embedder listed the link's origin among those that need no question. */
export const isTrustedLink = (url: URL, links: SessionOptions['links']): boolean =>
  url.protocol !== 'mailto:' &&
  (links?.trusted ?? []).some((entry) => URL.canParse(entry) && new URL(entry).origin === url.origin);
