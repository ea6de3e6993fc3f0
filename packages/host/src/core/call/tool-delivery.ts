import type { MetadataFinding } from '@casement/protocol';
import type { ToolNotification } from './outbox.js';
import { createOutbox } from './outbox.js';
import { createPartialInput } from './partial-input.js';
import type { MountedApp } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { Surface } from '../surface.js';
import { toDeliverableResult } from './tool-result.js';

/** What an app is told about the call that brought it up. */
export interface ToolDelivery {
  readonly partial: MountedApp['sendToolInputPartial'];
  readonly text: MountedApp['sendToolInputText'];
  readonly input: MountedApp['sendToolInput'];
  readonly result: MountedApp['sendToolResult'];
  readonly cancel: MountedApp['sendToolCancelled'];
  /** The call cannot end any more. */
  serverLost(reason: string): void;
  /** The app may be told now. */
  open(): void;
  /** A new document has been told nothing. */
  shut(): void;
  stop(): void;
}

/** Makes the delivery of everything about the tool, in order; what comes too late, or to an app without a tool, is dropped and recorded. */
export const createToolDelivery = (parts: {
  /** False for an app the embedder shows by itself: it never hears of a tool (S5-19). */
  readonly hasTool: boolean;
  readonly recorder: SessionRecorder;
  readonly surface: Pick<Surface, 'nextFrame'>;
  readonly maxPartialLength: number;
  addFinding(finding: MetadataFinding): void;
  deliver(notification: ToolNotification): void;
}): ToolDelivery => {
  const { hasTool, recorder, deliver } = parts;
  const outbox = createOutbox(deliver);

  const take = (what: string, put: () => boolean): void => {
    if (!hasTool) recorder.note('dropped', { reason: 'no tool', what });
    else if (!put()) recorder.note('dropped', { reason: 'out of order', what });
  };
  const streaming = createPartialInput({
    ...parts,
    take: (args) => void outbox.partial(args),
  });

  return {
    partial: (args) => take('tool-input-partial', () => outbox.partial(args)),
    text(textSoFar) {
      take('tool-input-text', () => {
        if (outbox.isComplete) return false; // HOST-069
        streaming.show(textSoFar);
        return true;
      });
    },
    input(args) {
      streaming.stop();
      take('tool-input', () => outbox.input(args));
    },
    result(result) {
      streaming.stop();
      take('tool-result', () => outbox.result(toDeliverableResult(result, recorder)));
    },
    cancel(reason) {
      streaming.stop();
      take('tool-cancelled', () => outbox.cancel(reason));
    },
    serverLost(reason) {
      streaming.stop();
      if (hasTool) outbox.cancel(`The server was lost: ${reason}`);
    },
    open: outbox.open,
    shut: outbox.shut,
    stop: streaming.stop,
  };
};
