import type { CallToolResult, MetadataFinding } from '@casement/protocol';
import type { PartialInput } from './partial-input.js';
import { throwCodeMissing } from '../missing-code.js';
import type { MountedApp } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { Surface } from '../surface.js';
import { toDeliverableResult } from '../server/deliverable-result.js';

/*
 * What an app is told about the call that brought it up.
 *
 * The outbox at the end of this file holds everything until the app may be told, and keeps the order
 * partial* → input (once) → result | cancelled.
 */

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
  /** Arguments that are still being written; what shows them is loaded with the first of them. */
  let streaming: PartialInput | undefined;
  let isComing = false;
  let latest: string | undefined;
  const bring = async (): Promise<void> => {
    isComing = true;
    try {
      const { createPartialInput } = await import('./partial-input.js').catch(throwCodeMissing);
      streaming ??= createPartialInput({ ...parts, take: (args) => void outbox.partial(args) });
      if (latest !== undefined) streaming.show(latest);
    } catch (error) {
      recorder.note('error', { message: String(error), what: 'tool-input-text' });
    }
    isComing = false;
  };
  const stop = (): void => {
    latest = undefined;
    streaming?.stop();
  };

  return {
    partial: (args) => take('tool-input-partial', () => outbox.partial(args)),
    text(textSoFar) {
      take('tool-input-text', () => {
        if (outbox.isComplete) return false; // HOST-069
        if (streaming) streaming.show(textSoFar);
        else {
          latest = textSoFar;
          if (!isComing) void bring();
        }
        return true;
      });
    },
    input(args) {
      stop();
      take('tool-input', () => outbox.input(args));
    },
    result(result) {
      stop();
      take('tool-result', () => outbox.result(toDeliverableResult(result, recorder)));
    },
    cancel(reason) {
      stop();
      take('tool-cancelled', () => outbox.cancel(reason));
    },
    serverLost(reason) {
      stop();
      if (hasTool) outbox.cancel(`The server was lost: ${reason}`);
    },
    open: outbox.open,
    shut: outbox.shut,
    stop,
  };
};

type Args = Record<string, unknown>;

/** One message to the app about the tool that called it up. */
type ToolNotification =
  | { readonly method: 'ui/notifications/tool-input-partial'; readonly params: { arguments: Args } }
  | { readonly method: 'ui/notifications/tool-input'; readonly params: { arguments: Args } }
  | { readonly method: 'ui/notifications/tool-result'; readonly params: CallToolResult }
  | { readonly method: 'ui/notifications/tool-cancelled'; readonly params: { reason?: string } };

/**
 * Holds what an app must be told about its tool until it may be told, in order. Each method says whether the delivery
 * was taken; what comes too late (a partial after the input, a second input or outcome) is not.
 */
interface Outbox {
  partial(args: Args): boolean;
  input(args: Args): boolean;
  result(result: CallToolResult): boolean;
  cancel(reason?: string): boolean;
  /** The app is initialized: deliver everything known, then pass on at once (HOST-029). */
  open(): void;
  /** A new epoch: hold back again and forget what was delivered, but not what is known. */
  shut(): void;
  /** The input, or an outcome, is there: partial ones are over (HOST-069). */
  readonly isComplete: boolean;
}

/** Makes an outbox in its first epoch, shut. */
const createOutbox = (deliver: (delivery: ToolNotification) => void): Outbox => {
  let isOpen = false;
  let lastPartial: Args | undefined;
  let input: Args | undefined;
  let outcome: ToolNotification | undefined;

  const toInput = (args: Args): ToolNotification => ({
    method: 'ui/notifications/tool-input',
    params: { arguments: args },
  });
  const toPartial = (args: Args): ToolNotification => ({
    method: 'ui/notifications/tool-input-partial',
    params: { arguments: args },
  });
  const settle = (delivery: ToolNotification): void => {
    outcome = delivery;
    if (isOpen) deliver(delivery);
  };
  const takeInput = (args: Args): void => {
    input = args;
    if (isOpen) deliver(toInput(args));
  };

  return {
    partial(args) {
      if (input || outcome) return false; // HOST-069
      lastPartial = args;
      if (isOpen) deliver(toPartial(args));
      return true;
    },
    input(args) {
      if (input || outcome) return false; // HOST-067
      takeInput(args);
      return true;
    },
    result(result) {
      if (outcome) return false;
      // HOST-066 and HOST-067: an input always precedes the result, also for a tool without arguments.
      if (!input) takeInput({});
      settle({ method: 'ui/notifications/tool-result', params: result });
      return true;
    },
    cancel(reason) {
      if (outcome) return false;
      settle({ method: 'ui/notifications/tool-cancelled', params: reason === undefined ? {} : { reason } });
      return true;
    },
    open() {
      if (isOpen) return;
      isOpen = true;
      if (input) deliver(toInput(input));
      else if (lastPartial) deliver(toPartial(lastPartial));
      if (outcome) deliver(outcome);
    },
    shut() {
      isOpen = false;
    },
    get isComplete() {
      return input !== undefined || outcome !== undefined;
    },
  };
};
