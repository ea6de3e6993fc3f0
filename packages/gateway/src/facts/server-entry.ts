/** Where an entry comes from: the user's own command line, a config file that was named there, or Casement's own file. */
export type EntrySource = 'typed' | 'file' | 'kept';

/** A variable that a text names and that is read only when the server starts. */
export interface VariableRead {
  from: 'env' | 'input';
  name: string;
}

/** A variable of the environment, or a header, as the page may see it. */
export interface ValueView {
  name: string;
  /** As it stands in the entry, variables unexpanded; left out for a secret. */
  text?: string;
  /** The value is a secret: it is stored, or stands in the file, and never reaches the page. */
  secret?: true;
  /** What is read for it after the user's yes. */
  reads: VariableRead[];
  /** One sentence for a name that changes which code a program runs. */
  marked?: string;
}

/** A value that is asked for before a server starts, as VS Code's `inputs` describe it. */
export interface EntryInput {
  id: string;
  description?: string;
  password: boolean;
  /** The values to choose from. */
  options?: string[];
  /** What to offer first. */
  default?: string;
}

/** A command, as an entry has it. */
interface CommandEntry<Value> {
  kind: 'stdio';
  command: string;
  args: string[];
  cwd?: string;
  env?: Value[];
}

/** An address, as an entry has it. */
interface AddressEntry<Value> {
  kind: 'http';
  url: string;
  /** HTTP+SSE at once; without it Streamable HTTP is tried first. */
  transport?: 'sse';
  headers?: Value[];
}

/** A variable or header as it is handed in; `secret` without a text keeps the stored one. */
export interface DraftValue {
  name: string;
  text?: string;
  secret?: true;
}

/** An entry as it is handed in, or was read from a text. */
export type EntryDraft = {
  name: string;
  /** The name was made from the command or address: what the server calls itself is shown in its place. */
  isNameDerived?: boolean;
  account?: string;
  inputs?: EntryInput[];
} & (CommandEntry<DraftValue> | AddressEntry<DraftValue>);

/** What the page may know of an entry; never a secret. */
export type EntryView = {
  name: string;
  source: EntrySource;
  /** The config file that a `file` entry stands in. */
  file?: string;
  isNameDerived?: boolean;
  account?: string;
  enabled: boolean;
  confirmed: boolean;
  /** The user agreed to it as it was before. */
  changed?: true;
  /** Binds all that runs or is sent; a yes is given to exactly this. */
  hash: string;
  /** What is read for its command, arguments, folder or address after the user's yes. */
  reads: VariableRead[];
  /** The values that are still missing. */
  inputs: EntryInput[];
} & (
  | (Required<Omit<CommandEntry<ValueView>, 'cwd'>> & { cwd?: string })
  | (Omit<AddressEntry<ValueView>, 'headers'> & { headers: ValueView[] })
);

/** A fault of a text or file with entries. */
export interface EntryProblem {
  message: string;
  hint?: string;
  /** The file it is in; none for a pasted text. */
  file?: string;
  line?: number;
  column?: number;
}

/** Something that Casement keeps on this machine. */
export interface StoredItem {
  what: string;
  where: string;
  bytes: number;
  lasts: string;
}
