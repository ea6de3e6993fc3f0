import { readOwn } from '../is-record.js';
import {
  isRequest,
  isResponse,
  parseJsonRpcMessage,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type ParsedMessage,
} from '../wire/json-rpc.js';
import type { MetadataFinding } from '../metadata/metadata.js';
import { findMethod } from '../messages/methods.js';
import type { Tool } from '../messages/tool-schemas.js';
import { wireCodes } from '../wire/wire-errors.js';
import { createAnnouncedTools } from './announced-tools.js';
import { announcing, toAliasFinding, toDirectionFinding, toFinding, toSilentFinding } from './findings.js';
import {
  aliasesByName,
  dialectAliases,
  readParams,
  toOldInitializeResult,
  toOldParams,
  type Dialect,
  type DialectAlias,
  type StoredContext,
} from './older-names.js';

/** What the door needs from the session behind it. */
export interface DialectDoorOptions {
  /** What the app told the model last; one dialect adds to it. */
  readonly modelContext?: () => StoredContext;
  /** The tools an app announced in a dialect without a way to call them, whenever they change. */
  readonly onAnnouncedTools?: (tools: readonly Tool[]) => void;
}

/** What became of one incoming value. */
interface Received {
  /** What the peer shall hear, in order; the value itself when it needed nothing. */
  readonly messages: readonly unknown[];
  /** Answers the door gives itself. */
  readonly replies: readonly JsonRpcMessage[];
  /** New findings only: each is told once. */
  readonly findings: readonly MetadataFinding[];
  /** The message in today's words, when it came in others. */
  readonly normalised?: JsonRpcMessage;
}

/** What becomes of one outgoing message. */
interface Sending {
  /** What is posted, in order; `normalised` is today's form of what goes out in another. */
  readonly messages: readonly { readonly message: JsonRpcMessage; readonly normalised?: JsonRpcMessage }[];
  /** What the peer shall hear once that is posted, though the app will not say it. */
  readonly implied: readonly JsonRpcMessage[];
  readonly findings: readonly MetadataFinding[];
}

/** Translates between today's vocabulary behind it and whatever one document speaks. */
export interface DialectDoor {
  /** `parsed` is what parseJsonRpcMessage made of it, where that is known already. */
  receive(raw: unknown, parsed?: ParsedMessage): Received;
  send(message: JsonRpcMessage): Sending;
  /** The dialects the document showed so far. */
  readonly dialects: readonly Dialect[];
}

/** As many handshakes as a peer answers at a time; more are not waiting for anything. */
const maxInitializing = 64;

const initialized: JsonRpcMessage = { jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} };

/**
 * Creates the translator between older names and today's, for one document. It remembers which dialects the document
 * uses. Nothing that arrives makes it throw.
 */
export const createDialectDoor = (options: DialectDoorOptions = {}): DialectDoor => {
  const { modelContext = () => undefined, onAnnouncedTools } = options;
  const shown = new Set<Dialect>();
  const told = new Set<string>();
  const tools = createAnnouncedTools();
  const initializing = new Set<JsonRpcId>();
  let isAnswered = false;
  let isInitialized = false;
  let toolName: string | undefined;

  /** The texts are ours alone, so there are only so many. */
  const takeNewFindings = (...found: readonly (MetadataFinding | undefined)[]): MetadataFinding[] =>
    found.filter((finding) => {
      if (!finding || told.has(finding.message)) return false;
      told.add(finding.message);
      return true;
    }) as MetadataFinding[]; // the filter let no undefined through

  const show = (dialects: readonly Dialect[]): void => dialects.forEach((dialect) => shown.add(dialect));

  /** A FrontMCP app has no message for "ready": its first request says as much. */
  const toImplied = (alias: DialectAlias | undefined): readonly JsonRpcMessage[] => {
    if (!isAnswered || isInitialized || !alias?.dialects.includes('frontmcp')) return [];
    isInitialized = true;
    return [initialized];
  };

  const announce = (message: JsonRpcRequest | JsonRpcNotification, alias: DialectAlias): Received => {
    const fault = tools.take(message.method, message.params ?? {});
    if (fault === undefined) onAnnouncedTools?.(tools.list());
    const reply: JsonRpcMessage[] = !isRequest(message)
      ? []
      : fault === undefined
        ? [{ jsonrpc: '2.0', id: message.id, result: {} }]
        : [{ jsonrpc: '2.0', id: message.id, error: { code: wireCodes.invalidParams, message: fault } }];
    return { messages: toImplied(alias), replies: reply, findings: takeNewFindings(toAliasFinding(alias)) };
  };

  /** Requests that are notifications today are answered; a request without an id is left for the peer to refuse. */
  const toKind = (
    message: JsonRpcRequest | JsonRpcNotification,
  ): { message: JsonRpcMessage; replies: JsonRpcMessage[]; fault?: MetadataFinding } => {
    const { method, params } = message;
    const row = findMethod(['app'], method);
    const body = { jsonrpc: '2.0' as const, method, ...(params && { params }) };
    if (row?.kind === 'notification' && isRequest(message)) {
      return {
        message: body,
        replies: [{ jsonrpc: '2.0', id: message.id, result: {} }],
        fault: toFinding(
          method,
          `${method} came with an id; the answer says nothing.`,
          'Send it without an id.',
        ),
      };
    }
    if (row?.kind === 'request' && !isRequest(message)) {
      return {
        message,
        replies: [],
        fault: toFinding(
          method,
          `${method} came without an id; nothing was done, as nobody would hear the outcome.`,
          'Send it as a request, with an id.',
        ),
      };
    }
    return { message, replies: [] };
  };

  const translate = (raw: unknown, original: JsonRpcRequest | JsonRpcNotification): Received => {
    const known = aliasesByName.get(original.method);
    if (known?.from === 'host') {
      return { messages: [raw], replies: [], findings: takeNewFindings(toDirectionFinding(known)) };
    }
    const reading = readParams(original.method, original.params ?? {}, modelContext);
    // Without a text of its own this is the proposal's log, which has today's shape.
    const isFrontMcpLog = original.method !== 'ui/log' || readOwn(original.params, 'message') !== undefined;
    if (known && isFrontMcpLog) show(known.dialects);
    show(reading.dialects ?? []);
    if (known && announcing.has(known.name)) return announce(original, known);
    const isSame = !known && reading.params === (original.params ?? reading.params);
    const named = isSame
      ? original
      : { ...original, method: known?.method ?? original.method, params: reading.params };
    const { message, replies, fault } = toKind(named);
    note(message);
    const isUnusual = !known || known.kind !== (isRequest(original) ? 'request' : 'notification');
    const { finding } = reading;
    const findings = takeNewFindings(
      known && toAliasFinding(known),
      finding && toFinding(original.method, finding.message, finding.fix),
      isUnusual ? fault : undefined,
    );
    if (message === original) return { messages: [raw], replies, findings };
    return { messages: [...toImplied(known), message], replies, findings, normalised: message };
  };

  /** What the door itself must remember of what goes through. */
  const note = (message: JsonRpcMessage): void => {
    if (!('method' in message)) return;
    if (message.method === 'ui/notifications/initialized') isInitialized = true;
    if (message.method !== 'ui/initialize' || !isRequest(message)) return;
    isAnswered = isInitialized = false;
    if (initializing.size < maxInitializing) initializing.add(message.id);
  };

  const sendAnswer = (message: JsonRpcMessage & { id: JsonRpcId | null }): Sending => {
    const { id } = message;
    if (id === null || !initializing.delete(id) || !('result' in message)) return toPlain(message);
    isAnswered = true;
    const name = readOwn(readOwn(readOwn(message.result['hostContext'], 'toolInfo'), 'tool'), 'name');
    toolName = typeof name === 'string' ? name : undefined;
    if (shown.size === 0) return toPlain(message);
    const answer = { ...message, result: toOldInitializeResult(message.result, shown) };
    // That adapter never says initialized; without it the app would wait for its input for ever.
    const implied = shown.has('frontmcp') && !isInitialized ? [initialized] : [];
    if (implied.length > 0) isInitialized = true;
    return {
      messages: [{ message: answer, normalised: message }],
      implied,
      findings: implied.length > 0 ? takeNewFindings(toSilentFinding()) : [],
    };
  };

  const send = (message: JsonRpcMessage): Sending => {
    if (isResponse(message)) return sendAnswer(message);
    if (shown.size === 0) return toPlain(message);
    const names = dialectAliases
      .filter(
        ({ from, method, dialects }) =>
          from === 'host' && method === message.method && dialects.some((dialect) => shown.has(dialect)),
      )
      .map(({ name }) => name);
    // A request may be sent once only: under the name this document was written with.
    const [own] = names;
    if (isRequest(message)) {
      return own === undefined
        ? toPlain(message)
        : { ...nothingImplied, messages: [{ message: { ...message, method: own }, normalised: message }] };
    }
    const params = message.params && toOldParams(message.method, message.params, shown, toolName);
    const told = params === message.params ? message : { ...message, ...(params && { params }) };
    return {
      ...nothingImplied,
      messages: [
        told === message ? { message } : { message: told, normalised: message },
        ...names.map((method) => ({ message: { ...told, method }, normalised: message })),
      ],
    };
  };

  return {
    receive(raw, parsed = parseJsonRpcMessage(raw)) {
      if (!parsed.ok || isResponse(parsed.message)) return { messages: [raw], replies: [], findings: [] };
      try {
        return translate(raw, parsed.message);
      } catch {
        // A getter or proxy inside the parameters, or a callback of ours that threw: the peer judges the value itself.
        return { messages: [raw], replies: [], findings: [] };
      }
    },
    send,
    get dialects() {
      return [...shown].sort();
    },
  };
};

const nothingImplied = { implied: [], findings: [] } as const;

const toPlain = (message: JsonRpcMessage): Sending => ({ ...nothingImplied, messages: [{ message }] });
