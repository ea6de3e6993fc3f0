import { toPrintable } from '@casement/protocol/basics';
import type { ServerConfig } from './server-config.js';

/** What a server says of itself in the handshake. */
export interface ServerSelfDescription {
  readonly name: string;
  readonly title?: string | undefined;
}

/** The names under which servers are shown; no two servers share one. */
export interface ServerLabels {
  /** Reserves the name of a server, which may be another one under the same name. */
  add(config: ServerConfig): void;
  /** Lets the names of a server that is gone be used again. */
  remove(name: string): void;
  /** Whether a server calls itself so, or so like it that the two would be taken for one another. */
  isGiven(name: string): boolean;
  /**
   * The name to show a server by, once it was connected. A name the user chose is kept; one made from a command or
   * address gives way to what the server first called itself. Undefined where the server is shown as it is configured.
   */
  labelOf(config: ServerConfig, info: ServerSelfDescription | undefined): string | undefined;
}

const MAX_LABEL = 60;

/** The owner of a name that two servers could claim. */
const NOBODY = Symbol('nobody');

/** Each letter with those of other alphabets, and small capitals, that look like it. */
const lookAlikes = [
  'aаΑαɑᴀ bВвЬьΒβʙ cсСᴄϲ dԁᴅđ eеЕΕεᴇє fꜰƒ gɡɢց',
  'hНнһΗʜհħ iіІΙιıɪ jјЈᴊ kКкΚκᴋ lӏӀʟł mМмΜᴍ nΝηɴПпո',
  'oоОΟοσᴏօø pрРΡρᴘ qԛզ rгʀ sѕЅꜱ tТтΤτᴛ uυμᴜս',
  'vνѵᴠ wԝωᴡ xхХΧχ yуУүΥγʏ zΖᴢ',
].flatMap((line) => line.split(' '));

const plain = new Map(
  lookAlikes.flatMap(([letter = '', ...others]) => others.map((other) => [other, letter] as const)),
);

/** Most names are; the sets of all letters, made for the first name that is not, take milliseconds. */
const isAscii = (text: string): boolean => /^[ -~]*$/.test(text);

/** Leaves out what is neither letter nor digit. */
const toLetters = (text: string): string =>
  isAscii(text) ? text.replace(/[^a-z\d]+/gi, '') : text.replace(/[^\p{L}\p{N}]+/gu, '');

/** Two names that fold to the same would pass for one another. */
const fold = (name: string): string =>
  toLetters(
    Array.from(name.normalize('NFKD'), (letter) => plain.get(letter) ?? letter)
      .join('')
      .toLowerCase(),
  )
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/** Whether a word mixes letters of different alphabets: such a word is made to look like another one. */
const isMixed = (name: string): boolean =>
  !isAscii(name) &&
  (name.match(/[\p{L}\p{M}]+/gu) ?? []).some(
    (word) =>
      /\p{Script=Latin}/u.test(word) &&
      /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(word),
  );

/** The name a server gives itself, made printable and cut to fit a list. */
export const toOwnName = ({ name, title }: ServerSelfDescription): string =>
  toPrintable(title?.trim() || name, MAX_LABEL, { mode: 'replace', rest: () => '…' }).trim();

/** Creates the labels of one gateway's servers; a name of the configuration is reserved as long as its server is there. */
export const createServerLabels = (): ServerLabels => {
  /** Who has a name that folds to this: several may, where the user chose the names. No server may call itself Casement. */
  const owners = new Map<string, Set<string | typeof NOBODY>>([[fold('Casement'), new Set([NOBODY])]]);
  const given = new Map<string, string>();
  /** The names that are there. */
  const known = new Set<string>();

  const own = (name: string, owner: string): void => {
    const folded = fold(name);
    owners.set(folded, (owners.get(folded) ?? new Set()).add(owner));
  };
  const disown = (name: string, owner: string): void => {
    const folded = fold(name);
    const left = owners.get(folded);
    left?.delete(owner);
    if (left?.size === 0) owners.delete(folded);
  };
  const isFree = (label: string, owner: string): boolean =>
    [...(owners.get(fold(label)) ?? [])].every((one) => one === owner);
  const forget = (name: string): void => {
    const label = given.get(name);
    if (label !== undefined) disown(label, name);
    given.delete(name);
    disown(name, name);
    known.delete(name);
  };

  return {
    add({ name }) {
      // What the server before called itself is no word of this one.
      if (known.has(name)) forget(name);
      known.add(name);
      own(name, name);
    },
    remove: forget,
    isGiven(name) {
      const folded = fold(name);
      return [...given.values()].some((label) => fold(label) === folded);
    },
    labelOf({ name, isNameDerived }, info) {
      if (!isNameDerived) return undefined;
      const before = given.get(name);
      if (before !== undefined || info === undefined) return before;
      const said = toOwnName(info);
      // A name without a letter or digit says nothing.
      if (fold(said) === '' || isMixed(said)) return undefined;
      let label = said;
      for (let count = 2; !isFree(label, name); count += 1) label = `${said} (${count})`;
      own(label, name);
      given.set(name, label);
      return label;
    },
  };
};
