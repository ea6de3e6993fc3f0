import type { Peer, PeerOptions, RecordingEntry, Transport } from '@casement/protocol';
import {
  createPeer,
  isNotification,
  isRecord,
  isRequest,
  parseJsonRpcMessage,
  SANDBOX_METHOD_PREFIX,
} from '@casement/protocol';
import type { SessionRecorder } from './session-recorder.js';

/** The conversation with one document of the app: a peer of its own on the frame's transport. */
export interface AppLeg extends Pick<Peer, 'request' | 'notify' | 'close'> {
  /** When the app last sent anything itself. */
  readonly lastHeard: number;
}

type LegOptions = Pick<PeerOptions, 'requestHandlers' | 'onNotification' | 'maxInFlight'>;

/**
 * A peer per document. Request ids start over when an app reloads, so an answer owed to the old document must never
 * be taken for one to the new (B27): closing this leg drops what it still owed and leaves the frame's transport open.
 */
export const createAppLeg = (
  frame: Transport,
  recorder: SessionRecorder,
  { requestHandlers, onNotification, maxInFlight }: LegOptions,
): AppLeg => {
  let lastHeard = 0;
  const transport: Transport = {
    send(message) {
      recorder.message('out', toKind(message), message);
      frame.send(message);
    },
    subscribe: (listener) =>
      frame.subscribe((data) => {
        recorder.message('in', toKind(data), data);
        if (!isFromProxy(data)) lastHeard = Date.now();
        listener(data);
      }),
    // The frame's transport lives as long as the frame.
    close: () => undefined,
  };
  const peer = createPeer({
    transport,
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
    close: peer.close,
    get lastHeard() {
      return lastHeard;
    },
  };
};

const isFromProxy = (data: unknown): boolean =>
  isRecord(data) && typeof data.method === 'string' && data.method.startsWith(SANDBOX_METHOD_PREFIX);

const toKind = (raw: unknown): RecordingEntry['kind'] => {
  const parsed = parseJsonRpcMessage(raw);
  if (!parsed.ok) return 'invalid';
  if (isRequest(parsed.message)) return 'request';
  return isNotification(parsed.message) ? 'notification' : 'response';
};
