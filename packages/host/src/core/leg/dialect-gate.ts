import type { DialectDoorOptions, JsonRpcMessage } from '@casement/protocol';
import type { createDialectDoor } from '@casement/protocol/dialects';
import { isRecord } from '@casement/protocol/start';
import type { parseJsonRpcMessage } from '@casement/protocol/wire';
import { SANDBOX_METHOD_PREFIX, findMethod, isNotification, isRequest } from '@casement/protocol/wire';
import { throwCodeMissing } from '../missing-code.js';

type Door = ReturnType<typeof createDialectDoor>;
type Received = ReturnType<Door['receive']>;
type Parsed = ReturnType<typeof parseJsonRpcMessage>;

/** What comes in and goes out of one document, in today's words behind it. */
export interface DialectGate {
  /** Gives `take` what became of a value: at once, or in its turn when the older names have come. */
  receive(data: unknown, parsed: Parsed, take: (received: Received) => void): void;
  send(message: JsonRpcMessage): ReturnType<Door['send']>;
  readonly dialects: Door['dialects'];
  /** Nobody listens any more: what still waits is given to `onUnread`. */
  close(): void;
}

/** An app that sends more than this before the older names have come would be cut off by its proxy as well. */
const maxWaiting = 1000;
/** As many handshakes as the door behind remembers. */
const maxHistory = 64;

/**
 * Makes the gate of one document: most speak as the specification does and pass. The first message that does not is
 * held, with what follows it, until the dialect door is loaded, which is told what it missed. What the proxy itself
 * reports is never held: it guards.
 */
export const createDialectGate = (
  options: DialectDoorOptions & {
    /** A value that was never read as a message: there were too many, or the document is gone. */
    onUnread(data: unknown, parsed: Parsed): void;
    /** The older names could not be loaded: their messages go on as they came. */
    onMissing(error: unknown): void;
  },
): DialectGate => {
  const { onUnread, onMissing, ...doorOptions } = options;
  const history: ((door: Door) => unknown)[] = [];
  let door: Door | undefined;
  let waiting: { data: unknown; parsed: Parsed; take(received: Received): void }[] | undefined;
  let isMissing = false;

  const pass = (data: unknown, parsed: Parsed, take: (received: Received) => void): void =>
    take(door ? door.receive(data, parsed) : { messages: [data], replies: [], findings: [] });
  const remember = (event: (door: Door) => unknown): void => {
    history.push(event);
    if (history.length > maxHistory) history.shift();
  };
  const load = async (): Promise<void> => {
    try {
      const { createDialectDoor } = await import('../loaded/tools-and-dialects.js').catch(throwCodeMissing);
      const made = createDialectDoor(doorOptions);
      for (const event of history) event(made);
      door = made;
    } catch (error) {
      isMissing = true;
      onMissing(error);
    }
    const held = waiting ?? [];
    waiting = undefined;
    for (const { data, parsed, take } of held) pass(data, parsed, take);
  };

  return {
    receive(data, parsed, take) {
      const isOurs = isFromProxy(data) && isTodays(parsed);
      if (door || isMissing || isOurs) return pass(data, parsed, take);
      if (!waiting && isTodays(parsed)) {
        if (isHandshake(data)) remember((made) => made.receive(data, parsed));
        return pass(data, parsed, take);
      }
      if (!waiting) {
        waiting = [];
        void load();
      }
      if (waiting.length < maxWaiting) waiting.push({ data, parsed, take });
      else onUnread(data, parsed);
    },
    send(message) {
      if (door) return door.send(message);
      // The answers to handshakes tell the door behind whether one has ended.
      if ('result' in message && 'hostContext' in message.result) remember((made) => made.send(message));
      return { messages: [{ message }], implied: [], findings: [] };
    },
    get dialects() {
      return door?.dialects ?? [];
    },
    close() {
      for (const { data, parsed } of waiting?.splice(0) ?? []) onUnread(data, parsed);
    },
  };
};

/** Whether a value is one of the proxy's own reports, which no app can send. */
export const isFromProxy = (data: unknown): boolean =>
  isRecord(data) && typeof data.method === 'string' && data.method.startsWith(SANDBOX_METHOD_PREFIX);

const isHandshake = (data: unknown): boolean =>
  isRecord(data) && (data.method === 'ui/initialize' || data.method === 'ui/notifications/initialized');

/** Whether a value is no message that an older document would have sent otherwise. */
const isTodays = (parsed: Parsed): boolean => {
  if (!parsed.ok) return true;
  const { message } = parsed;
  if (!isRequest(message) && !isNotification(message)) return true;
  const row = findMethod(['app', 'proxy'], message.method);
  if (row?.kind !== (isRequest(message) ? 'request' : 'notification')) return false;
  try {
    return hasTodaysShape(message.method, message.params ?? {});
  } catch {
    // A getter or proxy inside the parameters: the peer judges the value itself.
    return true;
  }
};

const oldVersions: readonly unknown[] = ['2024-11-05', '2025-01-01'];

const hasTodaysShape = (method: string, params: Readonly<Record<string, unknown>>): boolean => {
  if (method === 'ui/message') return Array.isArray(params.content) && Object.hasOwn(params, 'role');
  if (method !== 'ui/initialize') return true;
  const { appCapabilities } = params;
  return !(
    Object.hasOwn(params, 'clientInfo') ||
    Object.hasOwn(params, 'capabilities') ||
    oldVersions.includes(params.protocolVersion) ||
    (isRecord(appCapabilities) && 'supportsPartialInput' in appCapabilities)
  );
};
