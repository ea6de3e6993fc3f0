import { CasementError } from '@casement/protocol/start';

/** The server named on the command line. */
export type ServerArgument =
  { kind: 'url'; url: string } | { kind: 'command'; command: string; args: string[] };

/** What `casement` was asked to serve, and how. */
export interface ServeRequest {
  kind: 'serve';
  config?: string;
  /** The user vouches for what the config file says now: nobody is asked about it. */
  trustConfig?: boolean;
  port?: number;
  open: boolean;
  json: boolean;
  /** The tool to run as soon as the page is open, and its arguments as JSON text. */
  run?: string;
  args?: string;
  /** Where an OpenAI-compatible server of models is, and the model to use. */
  modelUrl?: string;
  model?: string;
  /** Variables of the environment that the server's command is to have in any case. */
  env?: string[];
  /** Watches the servers' files; paths that are watched besides. */
  watch?: string[];
  server?: ServerArgument;
}

/** A wish to see what is stored on this machine, or to have it deleted. */
export interface ForgetRequest {
  kind: 'forget';
  /** Only says what there is. */
  list: boolean;
  /** Does not ask. */
  yes: boolean;
}

/** What the command line asks for. */
export type Invocation = ServeRequest | ForgetRequest | { kind: 'help' } | { kind: 'version' };

const hint = 'Run casement --help to see what it takes';

const refuse = (message: string): CasementError => new CasementError('bad-flag', message, { hint });

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

const parsePort = (text: string): number => {
  // The sandbox takes the next port, so the highest one is left to it.
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_534)
    throw refuse(`--port takes a number from 0 to 65534, not "${text}"`);
  return Number(text);
};

const parseToolArguments = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Said below, as for any other text that is not an object.
  }
  throw refuse(`--args takes a JSON object, not "${text.slice(0, 80)}"`);
};

/** A value on a command line can be read by everybody on this machine, so only the name is taken. */
const parseEnvName = (text: string): string => {
  if (!/^[A-Za-z_]\w*$/.test(text)) throw refuse('--env takes the name of a variable, without a value');
  return text;
};

/** A path belongs to the option only behind an equals sign: the next word may be the server's command. */
const parseWatched = (path: string | undefined): string[] => {
  if (path === '') throw refuse('--watch= needs a path; without the equals sign it takes none');
  return path === undefined ? [] : [path];
};

const parseUrl = (text: string): ServerArgument => {
  if (!URL.canParse(text)) throw refuse(`"${text}" is not a complete address`);
  return { kind: 'url', url: text };
};

/** The address may hold what nobody should see on a screen, so that the refusal does not repeat it. */
const parseModelUrl = (text: string): string => {
  if (!isUrl(text) || !URL.canParse(text))
    throw refuse('--model-url takes a complete address of http or https');
  return text;
};

const parseCommand = ([command, ...args]: string[]): ServerArgument => {
  if (!command) throw refuse('After -- a command is expected');
  // A NUL would end the argument early for the process that receives it (T16).
  if ([command, ...args].some((part) => part.includes('\0')))
    throw refuse('The command contains a NUL character');
  return { kind: 'command', command, args };
};

const parseForget = (words: readonly string[]): ForgetRequest => {
  for (const word of words)
    if (word !== '--list' && word !== '--yes')
      throw refuse(`"casement forget" takes --list or --yes, not "${word}"`);
  return { kind: 'forget', list: words.includes('--list'), yes: words.includes('--yes') };
};

/** Reads the command line; `forget` as its first word is ours, after `--` it is a server's command. */
export const parseCommandLine = (argv: readonly string[]): Invocation => {
  if (argv[0] === 'forget') return parseForget(argv.slice(1));
  const request = parseServe(argv);
  if (request.kind === 'serve' && request.trustConfig && request.config === undefined)
    throw refuse('--trust-config is about a file that --config names');
  return request;
};

/**
 * Options are ours up to the first word that is not one; from there on everything belongs to
 * the server's command, so that its own flags need no quoting. After an address nothing can belong to a command, so
 * our options may follow it.
 */
const parseServe = (argv: readonly string[]): Invocation => {
  const request: ServeRequest = { kind: 'serve', open: true, json: false };
  let read = 0;
  const takeWord = (): string | undefined => argv[read++];

  const takeValue = (flag: string, inline: string | undefined): string => {
    const value = inline ?? takeWord();
    if (value === undefined || value === '') throw refuse(`${flag} needs a value`);
    return value;
  };
  const takeNone = (flag: string, inline: string | undefined): void => {
    if (inline !== undefined) throw refuse(`${flag} takes no value`);
  };

  for (let word = takeWord(); word !== undefined; word = takeWord()) {
    if (word === '--') {
      if (request.server) throw refuse('Only one server can be named');
      request.server = parseCommand(argv.slice(read));
      return request;
    }
    if (isUrl(word)) {
      if (request.server) throw refuse('Only one server can be named');
      request.server = parseUrl(word);
      continue;
    }
    if (!word.startsWith('-')) {
      if (request.server) throw refuse(`"${word}" after the address belongs to nothing`);
      request.server = parseCommand([word, ...argv.slice(read)]);
      return request;
    }
    const separator = word.startsWith('--') ? word.indexOf('=') : -1;
    const flag = separator < 0 ? word : word.slice(0, separator);
    const inline = separator < 0 ? undefined : word.slice(separator + 1);
    if (flag === '--watch') request.watch = [...(request.watch ?? []), ...parseWatched(inline)];
    else if (flag === '--config') request.config = takeValue(flag, inline);
    else if (flag === '--port') request.port = parsePort(takeValue(flag, inline));
    else if (flag === '--run') request.run = takeValue(flag, inline);
    else if (flag === '--args') request.args = parseToolArguments(takeValue(flag, inline));
    else if (flag === '--model-url') request.modelUrl = parseModelUrl(takeValue(flag, inline));
    else if (flag === '--env') (request.env ??= []).push(parseEnvName(takeValue(flag, inline)));
    else if (flag === '--model') request.model = takeValue(flag, inline);
    else {
      takeNone(flag, inline);
      if (flag === '--help' || flag === '-h') return { kind: 'help' };
      if (flag === '--version' || flag === '-v') return { kind: 'version' };
      if (flag === '--no-open') request.open = false;
      else if (flag === '--json') request.json = true;
      else if (flag === '--trust-config') request.trustConfig = true;
      else throw refuse(`There is no option ${flag}`);
    }
  }
  return request;
};
