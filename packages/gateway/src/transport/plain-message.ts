/** What a JSON-RPC message is. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error';

type Plain = Readonly<Record<string, unknown>>;

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** An object as JSON makes it, without the one key that a copy would take for something else. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  !Object.hasOwn(value, '__proto__');

const hasOnly = (value: Plain, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name) && value[name] !== undefined);

const isId = (value: unknown): boolean => typeof value === 'string' || Number.isSafeInteger(value);

const hasPlainMeta = (value: Plain, isMeta: (meta: Plain) => boolean): boolean =>
  !Object.hasOwn(value, '_meta') || (isPlain(value._meta) && isMeta(value._meta));

const isRequestMeta = (meta: Plain): boolean =>
  (!Object.hasOwn(meta, 'progressToken') || isId(meta.progressToken)) && !Object.hasOwn(meta, RELATED_TASK);

const isResultMeta = (meta: Plain): boolean => !Object.hasOwn(meta, SERVER_INFO);

const isMethod = (value: Plain): boolean =>
  typeof value.method === 'string' &&
  hasOnly(value, ['jsonrpc', 'id', 'method', 'params']) &&
  (!Object.hasOwn(value, 'params') || (isPlain(value.params) && hasPlainMeta(value.params, isRequestMeta)));

const isResult = (value: Plain): boolean =>
  hasOnly(value, ['jsonrpc', 'id', 'result']) &&
  isPlain(value.result) &&
  hasPlainMeta(value.result, isResultMeta);

const isError = ({ error, ...rest }: Plain): boolean =>
  hasOnly(rest, ['jsonrpc', 'id']) &&
  isPlain(error) &&
  hasOnly(error, ['code', 'message', 'data']) &&
  Number.isSafeInteger(error.code) &&
  typeof error.message === 'string';

/**
 * Finds what a message of the usual form is; undefined for everything else, about which the official client's schemas
 * decide. It never says of a message what they would not: the build of the command asks here first, since to make and run
 * those schemas takes a tenth of a start, and each message of a connection is asked about five times.
 */
export const findMessageKind = (value: unknown): MessageKind | undefined => {
  if (!isPlain(value) || value.jsonrpc !== '2.0') return undefined;
  const hasId = Object.hasOwn(value, 'id');
  if (hasId && !isId(value.id)) return undefined;
  if (Object.hasOwn(value, 'method'))
    return isMethod(value) ? (hasId ? 'request' : 'notification') : undefined;
  if (Object.hasOwn(value, 'result')) return hasId && isResult(value) ? 'result' : undefined;
  return isError(value) ? 'error' : undefined;
};

/** Whether a message is of a kind; `ask` is the schema's answer, for what has not the usual form. */
export const isMessageOf = (kind: MessageKind, value: unknown, ask: () => boolean): boolean => {
  const found = findMessageKind(value);
  return found === undefined ? ask() : found === kind;
};

/** A copy with these names first, as the schemas make it. */
const copy = (value: Plain, ...first: readonly string[]): Record<string, unknown> => {
  const begin = first
    .filter((name) => Object.hasOwn(value, name))
    .map((name) => [name, value[name]] as const);
  return { ...Object.fromEntries(begin), ...value };
};

const copyWithMeta = (value: Plain, ...first: readonly string[]): Record<string, unknown> => {
  const copied = copy(value, '_meta');
  if (isPlain(value._meta)) copied._meta = copy(value._meta, ...first);
  return copied;
};

/** Reads a message as the schema would; `ask` is the schema, which throws for what is none. */
export const readMessage = <Message>(value: Message, ask: () => Message): Message => {
  if (findMessageKind(value) === undefined || !isPlain(value)) return ask();
  const copied = copy(value, 'jsonrpc', 'id', 'method', 'params', 'result', 'error');
  if (isPlain(copied.params)) copied.params = copyWithMeta(copied.params, 'progressToken');
  if (isPlain(copied.result)) copied.result = copyWithMeta(copied.result);
  if (isPlain(copied.error)) copied.error = copy(copied.error, 'code', 'message', 'data');
  // The same entries in the same places: whatever the value was, its copy is.
  return copied as Message;
};
