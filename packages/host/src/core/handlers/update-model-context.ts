import type { RequestHandlers } from '@casement/protocol';
import { toKnownBlock } from '@casement/protocol/consents';
import type { ModelContext } from '../state/app-snapshot.js';
import { allow, refuse } from '../policy/decision.js';
import type { SessionLimits } from '../limits.js';
import type { SessionOptions } from '../session-options.js';
import type { HandlerContext } from './handler-context.js';

type OnModelContext = NonNullable<SessionOptions['onModelContext']>;

/** Keeps what the app last said, whole and in place of what it said before (HOST-064); saying nothing clears it. */
export const createUpdateModelContext =
  (
    context: HandlerContext,
    { maxContextLength }: SessionLimits,
    onModelContext: OnModelContext,
  ): RequestHandlers['ui/update-model-context'] =>
  ({ content, structuredContent }) => {
    const next: ModelContext = {
      ...(content && content.length > 0 ? { content: content.map(toKnownBlock) } : {}),
      ...(structuredContent && Object.keys(structuredContent).length > 0 ? { structuredContent } : {}),
    };
    const text = JSON.stringify(next);
    const isFitting = text.length <= maxContextLength;
    context.enforce(
      'ui/update-model-context',
      isFitting
        ? allow('The app says what the model should know of it.')
        : refuse(
            'context-refused',
            `The context has ${text.length} characters.`,
            `Send at most ${maxContextLength}; what was said before still holds.`,
          ),
      { length: text.length },
    );
    // HOST-065: the same again is no news.
    if (text !== JSON.stringify(context.snapshot().modelContext ?? {})) {
      setModelContext(context, onModelContext, text === '{}' ? undefined : next);
    }
    return {};
  };

/** A new document is a new view: what the one before it said no longer holds. */
export const clearModelContext = (context: HandlerContext): void => {
  const { onModelContext } = context.options;
  if (onModelContext && context.snapshot().modelContext) setModelContext(context, onModelContext, undefined);
};

const setModelContext = (
  context: HandlerContext,
  onModelContext: OnModelContext,
  next: ModelContext | undefined,
): void => {
  context.update({ modelContext: next });
  onModelContext(next, context.app());
};
