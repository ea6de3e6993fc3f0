import type { CallToolResult } from '@casement/protocol';

type Args = Record<string, unknown>;

/** One message to the app about the tool that called it up. */
export type ToolNotification =
  | { readonly method: 'ui/notifications/tool-input-partial'; readonly params: { arguments: Args } }
  | { readonly method: 'ui/notifications/tool-input'; readonly params: { arguments: Args } }
  | { readonly method: 'ui/notifications/tool-result'; readonly params: CallToolResult }
  | { readonly method: 'ui/notifications/tool-cancelled'; readonly params: { reason?: string } };

/**
 * Holds what an app must be told about its tool until it may be told, and keeps the order
 * partial* → input (once) → result | cancelled. Each method says whether the delivery was taken; what comes too late
 * (a partial after the input, a second input or outcome) is not.
 */
export interface Outbox {
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
export const createOutbox = (deliver: (delivery: ToolNotification) => void): Outbox => {
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
