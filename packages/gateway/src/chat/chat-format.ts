import type { ContentBlock, ErrorCode } from '@casement/protocol';
import { isContentBlock } from '@casement/protocol';
import * as v from 'valibot';

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));
const record = v.record(v.string(), v.unknown());
const content = v.array(v.custom<ContentBlock>(isContentBlock, 'Expected a content block'));

const assistantBlock = v.variant('type', [
  v.object({ type: v.literal('text'), text: v.string() }),
  v.object({ type: v.literal('tool-call'), id: name, name, arguments: record }),
]);

const message = v.variant('role', [
  v.object({ role: v.literal('system'), text: v.string() }),
  v.object({ role: v.literal('user'), content }),
  v.object({ role: v.literal('assistant'), content: v.array(assistantBlock) }),
  v.object({
    role: v.literal('tool'),
    results: v.array(v.object({ id: name, name, content, isError: v.optional(v.boolean()) })),
  }),
]);

const tool = v.object({ name, description: v.optional(v.string()), inputSchema: record });

const request = v.object({
  messages: v.pipe(
    v.array(message),
    v.maxLength(10_000),
    v.check(
      (list) => list.some(({ role }) => role !== 'system'),
      'Expected a message besides the system ones',
    ),
  ),
  tools: v.pipe(
    v.array(tool),
    v.maxLength(1000),
    v.check(
      (list) => new Set(list.map((item) => item.name)).size === list.length,
      'Expected names only once',
    ),
  ),
  maxTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000_000))),
});

/** The body of one step of a model: which one, and everything it is told. */
export const chatBody = v.object({ model: name, request });

/** One step of a model as the page asks for it. */
export type ChatRequest = v.InferOutput<typeof request>;

/** One message of it. */
export type ChatMessage = v.InferOutput<typeof message>;

/** One line of the answer to a chat request; `finish` or `error` is the last. */
export type ChatEvent =
  | { type: 'text'; delta: string }
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-call'; id: string; name: string; text: string }
  | { type: 'finish'; reason: 'stop' | 'tool-calls' | 'length' | 'other' }
  | { type: 'error'; code: ErrorCode; message: string; hint?: string };
