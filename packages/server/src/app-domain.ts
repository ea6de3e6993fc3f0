import { createHash } from 'node:crypto';

const claudeSuffix = '.claudemcpcontent.com';

/** The `domain` Claude gives the apps of a server, made from the address under which the server was added there. */
export const toClaudeDomain = (serverUrl: string): string =>
  `${createHash('sha256').update(serverUrl).digest('hex').slice(0, 32)}${claudeSuffix}`;

/** Finds advice about a `domain` that no host's documentation asks for (SERVER-011); undefined if it may be right. */
export const findDomainFix = (domain: unknown): string | undefined => {
  if (typeof domain === 'string' && /^https:\/\//i.test(domain))
    return 'ChatGPT’s own domain, which has a scheme, goes to openai.domain; others take a bare host name.';
  if (typeof domain !== 'string' || !/^[\w.-]{1,253}$/.test(domain))
    return 'Give a bare host name, without scheme or path.';
  if (domain.endsWith(claudeSuffix) && !/^[0-9a-f]{32}\.[^.]+\.[^.]+$/.test(domain))
    return 'Claude takes what toClaudeDomain(serverUrl) gives.';
  return undefined;
};
