import type {
  DialectDoorOptions,
  JsonRpcMessage,
  MetadataFinding,
  PeerOptions,
  RecordingEntry,
  Transport,
} from '@casement/protocol';
import { createPeer, isNotification, isRequest, parseJsonRpcMessage } from '@casement/protocol/wire';
import type { createDialectDoor } from '@casement/protocol/dialects';
import { createDialectGate, isFromProxy } from './dialect-gate.js';
import type { AppLeg } from '../frame/app-frame.js';
import type { SessionRecorder } from '../state/session-recorder.js';

/** What a leg tells its session and learns from it. */
export interface LegOptions
  extends Pick<PeerOptions, 'requestHandlers' | 'onNotification' | 'maxInFlight'>, DialectDoorOptions {
  /** Something the app's author should say differently; each is told once per document. */
  readonly addFinding?: (finding: MetadataFinding) => void;
  /** The dialects this document showed, whenever one is added. */
  readonly onDialects?: (dialects: ReturnType<typeof createDialectDoor>['dialects']) => void;
}

/**
 * Makes the leg to one document of an app: a peer behind the dialect gate. Request ids start over when an app reloads, so an
 * answer owed to the old document must never be taken for one to the new (B27): closing this leg drops what it still
 * owed and leaves the frame's transport open. Everything is parsed once, here, and goes through the gate, so that the
 * peer knows today's names only.
 */
export const createAppLeg = (
  frame: Transport,
  recorder: SessionRecorder,
  { requestHandlers, onNotification, maxInFlight, addFinding, onDialects, ...dialects }: LegOptions,
): AppLeg => {
  const door = createDialectGate({
    ...dialects,
    onUnread(data, parsed) {
      recorder.message('in', toKind(parsed), data);
      recorder.note('dropped', { reason: 'older names not loaded' });
    },
    onMissing: (error) => recorder.note('error', { message: String(error) }),
  });
  let lastHeard = 0;
  let heard = 0;
  let shown = 0;
  let hear: (parsed: Parsed) => void = () => undefined;

  const tell = (findings: readonly MetadataFinding[]): void => {
    for (const finding of findings) (addFinding ?? ((value) => recorder.note('finding', value)))(finding);
    if (door.dialects.length === shown) return;
    shown = door.dialects.length;
    onDialects?.(door.dialects);
  };
  const post = (message: JsonRpcMessage, normalised?: JsonRpcMessage): void => {
    recorder.message('out', toKind({ ok: true, message }), message, normalised);
    frame.send(message);
  };

  const transport: Transport = {
    send(outgoing) {
      const { messages, implied, findings } = door.send(outgoing);
      for (const { message, normalised } of messages) post(message, normalised);
      tell(findings);
      for (const message of implied) hear({ ok: true, message });
    },
    subscribe(listener) {
      hear = listener;
      return frame.subscribe((data) => {
        const parsed = parseJsonRpcMessage(data);
        if (!isFromProxy(data)) {
          lastHeard = Date.now();
          heard += 1;
        }
        door.receive(data, parsed, ({ messages, replies, findings, normalised }) => {
          // What is kept of it is recorded, within a bound.
          if (Object(data).method !== 'ui/notifications/sandbox-evidence')
            recorder.message('in', toKind(parsed), data, normalised);
          tell(findings);
          for (const message of messages) {
            // What is not the value itself is a message that the door made.
            listener(Object.is(message, data) ? parsed : { ok: true, message: message as JsonRpcMessage });
          }
          for (const reply of replies) post(reply);
        });
      });
    },
    // The frame's transport lives as long as the frame.
    close: () => undefined,
  };
  const peer = createPeer({
    transport,
    // The transport above gives parsed messages and nothing else.
    parse: (value) => value as Parsed,
    side: 'host',
    requestHandlers,
    ...(onNotification ? { onNotification } : {}),
    ...(maxInFlight === undefined ? {} : { maxInFlight }),
    onInvalid: ({ code, reason, method }) =>
      recorder.note('finding', { code, message: reason, ...(method === undefined ? {} : { method }) }),
    onUnmatchedResponse: () =>
      recorder.note('finding', {
        code: 'invalid-message',
        message: 'The app answered a request that is not waiting for an answer.',
      }),
    onError: (error, method) => recorder.note('error', { method, message: String(error) }),
  });
  return {
    request: peer.request,
    notify: peer.notify,
    close(reason) {
      door.close();
      peer.close(reason);
    },
    get lastHeard() {
      return lastHeard;
    },
    get heard() {
      return heard;
    },
  };
};

type Parsed = ReturnType<typeof parseJsonRpcMessage>;

const toKind = (parsed: Parsed): RecordingEntry['kind'] => {
  if (!parsed.ok) return 'invalid';
  if (isRequest(parsed.message)) return 'request';
  return isNotification(parsed.message) ? 'notification' : 'response';
};
