/** A host name in two parts: what stands before, and the end that says whose it is. */
export interface HostName {
  readonly front: string;
  readonly end: string;
}

const maxFront = 60;

/**
 * Divides a host name, with its port, before the labels that somebody registered: the last two, or three below a country's
 * `co`, `com` and the like. In a name the right end decides, so it is never the part that is cut (E09).
 */
export const toHostName = (host: string): HostName => {
  // An address in numbers, or a mail address, is one thing.
  if (/^[\d.]+(?::\d+)?$/.test(host) || host.startsWith('[') || host.includes('@'))
    return { front: '', end: host };
  const labels = host.split('.');
  const [below = '', last = ''] = labels.slice(-2);
  const count = below.length <= 3 && /^[a-z]{2}(?::\d+)?$/i.test(last) ? 3 : 2;
  const front = labels
    .slice(0, -count)
    .map((label) => `${label}.`)
    .join('');
  return { front: elide(front), end: labels.slice(-count).join('.') };
};

const elide = (text: string): string =>
  text.length <= maxFront ? text : `${text.slice(0, maxFront / 2)}…${text.slice(-maxFront / 2)}`;
