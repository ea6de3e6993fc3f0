/** A command as it was typed, taken apart. */
export interface CommandLine {
  /** Variables that stand in front of the program, as a terminal takes them: `NAME=value program …`. */
  readonly variables: readonly { readonly name: string; readonly text: string }[];
  readonly program: string;
  readonly args: readonly string[];
  /** What the reader of the line should know: there is no shell, so nothing but words and quotes has a meaning. */
  readonly notes: readonly string[];
  /** Why the line cannot be taken apart. */
  readonly problem?: string;
}

interface Word {
  readonly text: string;
  /** How much of its beginning was neither quoted nor escaped: there a shell would look for signs of its own. */
  readonly bare: number;
}

const blanks = new Set([' ', '\t', '\n', '\r']);
// A backslash before anything else stays what it is: paths of Windows are full of them.
const escapable = new Set(['"', "'", '\\', ...blanks]);

/** The words of a line, read once from its beginning to its end. */
const toWords = (line: string): { words: readonly Word[]; problem?: string } => {
  const words: Word[] = [];
  let pieces: string[] | undefined;
  let bare: number | undefined;
  let quote: string | undefined;
  const add = (piece: string): void => {
    (pieces ??= []).push(piece);
  };
  const endBare = (): void => {
    bare ??= pieces?.length ?? 0;
  };
  const endWord = (): void => {
    if (pieces) words.push({ text: pieces.join(''), bare: bare ?? pieces.length });
    pieces = undefined;
    bare = undefined;
  };
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charAt(at);
    const next = line.charAt(at + 1);
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      else if (quote === '"' && sign === '\\' && (next === '"' || next === '\\')) {
        add(next);
        at += 1;
      } else add(sign);
    } else if (sign === '\\' && (next === '\n' || line.startsWith('\r\n', at + 1))) {
      // The line goes on in the next one.
      at += next === '\n' ? 1 : 2;
    } else if (sign === '\\' && escapable.has(next)) {
      endBare();
      add(next);
      at += 1;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      endBare();
      add('');
    } else if (blanks.has(sign)) endWord();
    else add(sign);
  }
  endWord();
  if (quote === undefined) return { words };
  const name = quote === '"' ? 'double' : 'single';
  return { words, problem: `A ${name} quote is opened and not closed.` };
};

const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=/;
/** The length of `NAME=` at the beginning of a word that sets a variable. */
const readAssignment = ({ text, bare }: Word): number | undefined => {
  const length = assignment.exec(text)?.[0].length;
  return length !== undefined && length <= bare ? length : undefined;
};

const operator = /^(?:\d?>{1,2}(?:&\d)?|\d?<|\|{1,2}|&{1,2}|;)/;

/** The words that a shell would not hand to the program as they are. */
const toNotes = (words: readonly Word[]): string[] => {
  const bare = words.filter((word) => word.bare === word.text.length).map(({ text }) => text);
  const found = bare.find((text) => operator.test(text) || text.endsWith(';'));
  const replaced = words.find(({ text }) => /\$[A-Za-z_(]|`/.test(text))?.text;
  return [
    ...(found === undefined
      ? []
      : [`There is no shell: ${found.slice(0, 40)} is handed to the program as it stands.`]),
    ...(replaced === undefined
      ? []
      : ['There is no shell: $NAME and $(…) are not replaced. Write ${env:NAME} for a variable of yours.']),
  ];
};

/**
 * Takes a line apart as a terminal does: blanks between words, quotes around them, a backslash before a blank or quote.
 * Nothing is expanded and nothing is run.
 */
export const parseCommandLine = (line: string): CommandLine => {
  const { words, problem } = toWords(line);
  const first = words.findIndex((word) => readAssignment(word) === undefined);
  const own = first < 0 ? words : words.slice(0, first);
  const [program, ...rest] = first < 0 ? [] : words.slice(first);
  const why = problem ?? (program === undefined && words.length > 0 ? 'No program is named.' : undefined);
  return {
    variables: own.map((word) => {
      const length = readAssignment(word) ?? 0;
      return { name: word.text.slice(0, length - 1), text: word.text.slice(length) };
    }),
    program: program?.text ?? '',
    args: rest.map(({ text }) => text),
    notes: toNotes(rest),
    ...(why !== undefined && { problem: why }),
  };
};

const toQuoted = (word: string, isProgram: boolean): string => {
  const isPlain = /^[\w@%+=:,./\\${}~-]+$/.test(word) && !/\\(?:\\|$)/.test(word);
  if (isPlain && !(isProgram && assignment.test(word))) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
};

/** The line that `parseCommandLine` reads as this program with these arguments. */
export const toCommandLine = (program: string, args: readonly string[]): string =>
  [program, ...args].map((word, index) => toQuoted(word, index === 0)).join(' ');
