// Hosts that are not on the public internet, as far as the name or address itself tells; names are not looked up (E06).
// One list for what an app may declare and for what a user is warned of before a link is opened.

/** Names that no public server has (RFC 6761, 6762, 8375, 7686), and those that companies and routers give their own. */
const privateEndings: ReadonlySet<string> = new Set(
  'localhost local localdomain internal intranet private corp home lan test invalid onion alt'.split(' '),
);

/** Whether a host name always means the machine the browser runs on. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]';

/** Whether a host, as the URL parser writes it, is this machine or in a private, shared or reserved range. */
export const isPrivateHost = (host: string): boolean => {
  if (host.startsWith('[')) return isPrivateIpv6(toGroups(host.slice(1, -1)));
  const labels = host.replace(/\.$/, '').split('.');
  const last = labels.at(-1) ?? '';
  // The URL parser has turned every spelling of an IPv4 address into four decimal numbers.
  if (/^\d+$/.test(last)) return isPrivateIpv4(labels.map(Number));
  return labels.length === 1 || privateEndings.has(last) || labels.slice(-2).join('.') === 'home.arpa';
};

const isPrivateIpv4 = ([a = 0, b = 0, c = 0]: readonly number[]): boolean =>
  // This network, private, loopback; multicast, reserved and broadcast
  [0, 10, 127].includes(a) ||
  a >= 224 ||
  // Shared by carriers, link local, private
  (a === 100 && b >= 64 && b < 128) ||
  (a === 169 && b === 254) ||
  (a === 172 && b >= 16 && b < 32) ||
  // Protocol assignments, private, benchmarks, and the three ranges of examples
  (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)))) ||
  (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
  (a === 203 && b === 0 && c === 113);

/** The eight groups of an address as the URL parser writes it: no IPv4 part, at most one gap. */
const toGroups = (address: string): readonly number[] => {
  const [head = '', tail] = address.split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
  const before = read(head);
  const after = read(tail ?? '');
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
};

const isPrivateIpv6 = (groups: readonly number[]): boolean => {
  const [a = 0, b = 0, c = 0] = groups;
  // Unspecified, loopback, and IPv4 inside IPv6, which hides what it is
  if (groups.slice(0, 5).every((group) => group === 0)) return true;
  if (a === 0x64 && b === 0xff9b) return true;
  // 6to4 and Teredo carry an IPv4 address too; documentation; discard
  if (a === 0x2002 || (a === 0x2001 && (b === 0 || b === 0xdb8)) || (a === 0x100 && b === 0 && c === 0))
    return true;
  // Unique local, link local, site local, multicast
  return (a & 0xfe00) === 0xfc00 || (a & 0xff80) === 0xfe80 || (a & 0xff00) === 0xff00;
};
