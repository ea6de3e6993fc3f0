import type { Recording } from '@casement/protocol';
import type { ConversationFailure } from '../conversation-failure.js';
import type { ModelEvent, ModelRequest } from './model.js';
import type { ToolSource } from '../message/message.js';

/** Collects what a model says in one step, for the recording. */
interface StepRecord {
  take(event: ModelEvent): void;
  /** The step is over, by its finish, by a failure, or because nobody listens any more. */
  end(failure?: ConversationFailure): void;
}

/** Begins the record of one step: what the model is asked now. */
export type RecordStep = (model: string, request: ModelRequest) => StepRecord;

/** Creates the writer that records each step of a conversation's model; `for` says who asks the model. */
export const createModelRecord = (
  recording: Pick<Recording, 'append'> | undefined,
  session: string,
  purpose: 'conversation' | 'app',
): RecordStep => {
  let steps = 0;
  let told = 0;
  const write = (raw: Readonly<Record<string, unknown>>): void =>
    void recording?.append({ session, epoch: 0, leg: 'none', dir: 'none', kind: 'lifecycle', raw });

  return (model, { messages, tools, maxTokens }) => {
    const began = Date.now();
    const step = (steps += 1);
    const calls: { name: string; arguments: unknown }[] = [];
    let text = '';
    let finish: string | undefined;
    // Each step is told everything: written whole, a long conversation would fill the recording with itself.
    const isLonger = purpose === 'conversation' && messages.length > told;
    const fresh = isLonger ? messages.slice(told) : messages.slice(purpose === 'app' ? 0 : -1);
    told = messages.length;
    write({
      type: 'model-request',
      model,
      for: purpose,
      step,
      told,
      messages: fresh,
      tools: tools.map(({ name }) => name),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    });
    return {
      take(event) {
        if (event.type === 'text') text += event.delta;
        if (event.type === 'tool-call') calls.push({ name: event.name, arguments: toValue(event.text) });
        if (event.type === 'finish') finish = event.reason;
      },
      end(failure) {
        write({
          type: 'model-answer',
          model,
          for: purpose,
          step,
          ms: Date.now() - began,
          outcome: failure ? 'failed' : (finish ?? 'stopped'),
          text,
          calls,
          ...(failure ? { failure } : {}),
        });
      },
    };
  };
};

/** Writes down what became of the question before a call of the model. */
export type RecordDecision = (toolCallId: string, source: ToolSource, allow: boolean, reason: string) => void;

/**
 * Creates the writer that records decisions about the model's calls, and changes of the setting that asks about them.
 */
export const createCallRecord = (
  recording: Pick<Recording, 'append'> | undefined,
  session: string,
): { decision: RecordDecision; setting(toolCalls: 'ask' | 'run'): void } => {
  const write = (kind: 'decision' | 'lifecycle', raw: Readonly<Record<string, unknown>>): void =>
    void recording?.append({ session, epoch: 0, leg: 'none', dir: 'none', kind, raw });
  return {
    decision: (toolCallId, { server, tool }, allow, reason) =>
      write('decision', {
        method: 'tools/call',
        caller: 'model',
        server,
        tool,
        toolCallId,
        allow,
        ...(allow ? {} : { code: 'approval-denied' }),
        reason,
      }),
    setting: (toolCalls) => write('lifecycle', { type: 'tool-calls', toolCalls }),
  };
};

/**
 * Parses arguments before they are recorded: secrets are redacted by the names of their keys, which works on values
 * only.
 */
const toValue = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
