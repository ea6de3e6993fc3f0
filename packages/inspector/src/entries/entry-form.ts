import type { DraftValue, EntryDraft, EntryView } from '@casement/gateway';
import { parseCommandLine, toCommandLine } from './command-line.js';

/** A variable or header as it is typed. */
export interface ValueRow {
  /** Tells rows apart while they are typed. */
  readonly id: number;
  readonly name: string;
  readonly text: string;
  /** Not shown while it is typed, and kept apart from the rest. */
  readonly isSecret: boolean;
  /** The gateway has its value, which stays unless another is typed. */
  readonly isStored: boolean;
}

interface FormBase {
  /** Empty for the name that the server gives itself. */
  readonly name: string;
  readonly values: readonly ValueRow[];
}

/** A command as it is typed. */
export interface CommandForm extends FormBase {
  readonly kind: 'stdio';
  readonly line: string;
  readonly cwd: string;
}

/** An address as it is typed. */
export interface AddressForm extends FormBase {
  readonly kind: 'http';
  readonly url: string;
  readonly transport: 'auto' | 'sse';
  readonly bearer: string;
}

/** A server as it is typed. */
export type EntryForm = CommandForm | AddressForm;

/** The field a problem is at. */
type FormField = 'line' | 'url' | 'values' | 'bearer';

/** What keeps a form from being handed in, by field. */
export type FormProblems = Partial<Record<FormField, string>>;

/** An empty form. */
export const emptyForm = (kind: EntryForm['kind']): EntryForm =>
  kind === 'stdio'
    ? { kind, name: '', line: '', cwd: '', values: [] }
    : { kind, name: '', url: '', transport: 'auto', bearer: '', values: [] };

const toRows = (values: readonly DraftValue[]): ValueRow[] =>
  values.map(({ name, text, secret }, id) => ({
    id,
    name,
    text: text ?? '',
    isSecret: secret === true,
    isStored: secret === true && text === undefined,
  }));

/** The form that an entry was or could have been typed in. */
export const toForm = (entry: EntryView): EntryForm => {
  const name = entry.name;
  if (entry.kind === 'stdio')
    return {
      kind: 'stdio',
      name,
      line: toCommandLine(entry.command, entry.args),
      cwd: entry.cwd ?? '',
      values: toRows(entry.env),
    };
  return {
    kind: 'http',
    name,
    url: entry.url,
    transport: entry.transport ?? 'auto',
    bearer: '',
    values: toRows(entry.headers),
  };
};

const toValue = ({ name, text, isSecret, isStored }: ValueRow): DraftValue => {
  const keepsStored = isStored && text === '';
  return {
    name: name.trim(),
    ...(!keepsStored && { text }),
    ...((isSecret || keepsStored) && { secret: true as const }),
  };
};

const readValues = (
  rows: readonly ValueRow[],
  what: 'variable' | 'header',
): { values: DraftValue[]; problem?: string } => {
  const used = rows.filter(({ name, text, isStored }) => name.trim() !== '' || text !== '' || isStored);
  const values = used.map(toValue);
  const toKey = (name: string): string => (what === 'header' ? name.toLowerCase() : name);
  const names = values.map(({ name }) => toKey(name));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (names.includes('')) return { values, problem: `A ${what} has a value and no name.` };
  return twice === undefined ? { values } : { values, problem: `The ${what} ${twice} is there twice.` };
};

const readUrl = (text: string): string | undefined => {
  if (text === '') return 'Type the address of the server, such as https://example.com/mcp.';
  if (!URL.canParse(text)) return 'This is not an address: it begins with http:// or https://.';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http:// and https:// are spoken.';
  if (username !== '' || password !== '')
    return 'The address has a user name or password in it: give a header instead.';
  return undefined;
};

// Programs that run another program: the interesting name is what they run.
const runners = new Set('node npx npm bun bunx deno tsx python python3 uv uvx docker'.split(' '));

/** A name for a server that was given none; it stands until the server says its own. */
const toDerivedName = (form: EntryForm): string => {
  if (form.kind === 'http') return new URL(form.url.trim()).hostname;
  const { program, args } = parseCommandLine(form.line);
  const toBase = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
  const target = runners.has(toBase(program)) ? args.find((word) => /^[^-].*[/.@-]/.test(word)) : undefined;
  const name = toBase(target ?? program)
    .replace(/\.\w+$/, '')
    .replace(/[^\w.-]+/g, '-');
  return name.slice(0, 60) || 'server';
};

type FormResult =
  { readonly ok: true; readonly draft: EntryDraft } | { readonly ok: false; readonly problems: FormProblems };

const isAuthorization = ({ name }: { readonly name: string }): boolean =>
  name.toLowerCase() === 'authorization';

/** Reads a form; what is missing is said where it is missing. */
export const readForm = (form: EntryForm): FormResult => {
  const problems: FormProblems = {};
  if (form.kind === 'stdio') {
    const { variables, program, args, problem } = parseCommandLine(form.line);
    if (program === '' || problem !== undefined)
      problems.line = problem ?? 'Type the command that starts the server, such as node server.js.';
    const typed = variables.map(({ name, text }, index) => ({
      ...{ id: -1 - index, name, text },
      ...{ isSecret: false, isStored: false },
    }));
    const read = readValues([...typed, ...form.values], 'variable');
    if (read.problem !== undefined) problems.values = read.problem;
    if (Object.keys(problems).length > 0) return { ok: false, problems };
    const cwd = form.cwd.trim();
    return {
      ok: true,
      draft: {
        ...toName(form),
        kind: 'stdio',
        command: program,
        args: [...args],
        ...(cwd !== '' && { cwd }),
        ...(read.values.length > 0 && { env: read.values }),
      },
    };
  }
  const url = form.url.trim();
  const urlProblem = readUrl(url);
  if (urlProblem !== undefined) problems.url = urlProblem;
  const bearer = form.bearer.trim();
  // A new token takes the place of the one that is stored.
  const rows =
    bearer === '' ? form.values : form.values.filter((row) => !(isAuthorization(row) && row.isStored));
  const read = readValues(rows, 'header');
  if (read.problem !== undefined) problems.values = read.problem;
  if (bearer !== '' && read.values.some(isAuthorization))
    problems.bearer = 'There is an Authorization header, too: only one of them can be sent.';
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const headers: DraftValue[] = [
    ...read.values,
    ...(bearer === '' ? [] : [{ name: 'Authorization', text: `Bearer ${bearer}`, secret: true as const }]),
  ];
  return {
    ok: true,
    draft: {
      ...toName(form),
      kind: 'http',
      url,
      ...(form.transport === 'sse' && { transport: 'sse' }),
      ...(headers.length > 0 && { headers }),
    },
  };
};

const toName = (form: EntryForm): { name: string; isNameDerived?: boolean } => {
  const name = form.name.trim();
  return name === '' ? { name: toDerivedName(form), isNameDerived: true } : { name };
};
