import type { ContentBlock, ParamsOf } from '@casement/protocol';
import { toModelImage, toModelText, toSamplingText } from '@casement/protocol';
import { createRecording } from '@casement/protocol/start';
import { createConversation, type ChatModel, type ModelRequest } from '@casement/chat';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPrompt } from '../packages/gateway/src/chat/to-prompt.js';
import { createStage } from '../packages/host/src/core/stage.test-support.js';
import type { MessageRequest, SamplingRequest } from '../packages/host/src/core/session-options.js';
import type { ModelContext } from '../packages/host/src/core/state/app-snapshot.js';
import { toDialogWords } from '../packages/host/src/dialogs/dialog-words.js';
import type { Question } from '../packages/host/src/dialogs/question.js';
import { toMessageQuestion, toSamplingQuestion } from '../packages/host/src/dialogs/to-question.js';
import { toTextPieces } from '../packages/host/src/dom/shown-text.js';

const words = toDialogWords();

/* Foreign text, with all that is not seen in it, and keys that belong to another type of block. */
const text = fc.string({ unit: 'binary', maxLength: 40 });
const decoys = fc.dictionary(
  fc.constantFrom(
    'text',
    'data',
    'mimeType',
    'uri',
    'name',
    'title',
    'blob',
    'resource',
    'content',
    'hidden',
    // Of another kind than the specification's: a fault in them must not let the rest through.
    'annotations',
    '_meta',
    'icons',
    'size',
  ),
  fc.oneof(text, fc.record({ uri: text, text }), fc.array(text, { maxLength: 2 })),
);
const extras = fc.record(
  { _meta: fc.dictionary(text, text), annotations: fc.record({ lastModified: text }), note: text },
  { requiredKeys: [] },
);
const mimeType = fc.oneof(fc.constantFrom('image/png', 'image/svg+xml', 'audio/wav', 'text/plain'), text);
const base64 = fc.oneof(fc.base64String({ minLength: 4, maxLength: 60 }), text);
const optional = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });

const known = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constantFrom('image', 'audio'), data: base64, mimeType }),
  fc
    .tuple(fc.record({ uri: text, name: text }), optional({ title: text, description: text, mimeType }))
    .map(([needed, more]) => ({ type: 'resource_link', ...needed, ...more })),
  fc
    .tuple(
      fc.oneof(fc.record({ uri: text, text }), fc.record({ uri: text, blob: base64 })),
      optional({ mimeType }),
      extras,
    )
    .map(([contents, more, extra]) => ({ type: 'resource', resource: { ...extra, ...contents, ...more } })),
);
const block = fc.tuple(decoys, extras, known).map(([decoy, extra, own]) => ({ ...decoy, ...extra, ...own }));
// What the schemas take besides decides itself: a decoy that makes a block invalid is refused before anybody is asked.
const blocks = fc.array(block, { minLength: 1, maxLength: 4 });

const shownText = (question: Question): string =>
  (question.texts ?? [])
    .map(({ label, text: shown }) => [label, shown].filter(Boolean).join(' '))
    .join('\n\n');

/** What a model reads of a block, or how the question names the picture it sees. */
const toTold = (given: ContentBlock): string => {
  const image = toModelImage(given);
  return image ? words.picture(image.mediaType, Math.floor((image.data.length * 3) / 4)) : toModelText(given);
};

/** A model that keeps what it is told. */
const createListener = (): ChatModel & { readonly told: Promise<ModelRequest> } => {
  let hear: (request: ModelRequest) => void;
  const told = new Promise<ModelRequest>((resolve) => (hear = resolve));
  return {
    name: 'listener',
    told,
    async *stream(request) {
      hear(request);
      yield { type: 'text', delta: 'ok' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
};

const userBlocks = ({ messages }: ModelRequest): readonly ContentBlock[] =>
  messages.flatMap((message) => (message.role === 'user' ? message.content : []));

/** Everything of a prompt that the gateway sends to a provider, as text. */
const promptTexts = (request: ModelRequest): string[] => {
  // The gateway parses the same request from JSON.
  const { messages } = toPrompt(request as Parameters<typeof toPrompt>[0], 'anthropic');
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );
};

const runs = { numRuns: 60 };

describe('sec-B2 what a question shows is what is sent', () => {
  test(
    'ui/message: hook, question, model and provider get the same, block by block',
    { timeout: 60_000 },
    async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(blocks, async (content) => {
          const asked: MessageRequest[] = [];
          const stage = createStage({
            onMessage: async (request) => {
              asked.push(request);
              return true;
            },
          });
          await stage.ready();
          await stage.ask(1, 'ui/message', { role: 'user', content });
          const [request] = asked;
          if (!request) return;
          const model = createListener();
          const conversation = createConversation({ model, recording: createRecording({ writer: 'page' }) });
          conversation.sendFromApp(request);
          const heard = await model.told;
          count += 1;
          // Between the host's own marks, which say whose words these are.
          const told = userBlocks(heard).slice(-request.content.length - 1, -1);
          expect(told).toEqual(request.content);
          const question = toMessageQuestion(request, words);
          expect(shownText(question)).toBe(told.map(toTold).join('\n'));
          expect(question.pictures).toEqual(told.flatMap((each) => toModelImage(each) ?? []));
          const shown = told.filter((each) => !toModelImage(each)).map(toModelText);
          const sent = promptTexts(heard);
          const said = shown.filter((each) => each.trim() !== '');
          expect(sent.slice(sent.length - said.length - 1, -1)).toEqual(said);
          // Raw blocks, as an embedder may have them, ask the same question.
          expect(toMessageQuestion({ ...request, content: content as ContentBlock[] }, words)).toEqual(
            question,
          );
        }),
        runs,
      );
      // Most are taken: a decoy seldom makes a block invalid.
      expect(count).toBeGreaterThan(runs.numRuns / 3);
    },
  );

  test(
    'ui/update-model-context: the embedder and the model get what the block’s type knows, and no more',
    { timeout: 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(blocks, async (content) => {
          const told: (ModelContext | undefined)[] = [];
          const stage = createStage({ onModelContext: (context) => told.push(context) });
          await stage.ready();
          await stage.ask(1, 'ui/update-model-context', { content });
          for (const given of told.flatMap((context) => context?.content ?? [])) {
            // Everything the embedder gets of it is in the text, or is the picture itself.
            const { type, ...rest } = given;
            const visible = `${type} ${toModelText(given)}`;
            for (const value of Object.values(rest).flatMap((part) =>
              typeof part === 'object' && part !== null ? Object.values(part) : [part],
            ))
              if (!('data' in given && value === given.data) && !isBlob(given, value))
                expect(visible).toContain(String(value));
          }
        }),
        runs,
      );
    },
  );

  test(
    'sampling: every word and setting the model gets is in the question',
    { timeout: 60_000 },
    async () => {
      const message = fc.record({
        role: fc.constantFrom('user' as const, 'assistant' as const),
        content: fc.oneof(
          block,
          fc.array(fc.oneof(block, fc.record({ type: fc.constant('tool_use'), name: text, input: decoys })), {
            maxLength: 3,
          }),
        ),
        hidden: text,
      });
      const params = fc
        .tuple(
          fc.array(message, { minLength: 1, maxLength: 3 }),
          optional({
            systemPrompt: text,
            stopSequences: fc.array(text, { maxLength: 2 }),
            temperature: fc.double({ noNaN: true, noDefaultInfinity: true }),
            modelPreferences: fc.record({ hints: fc.array(fc.record({ name: text, secret: text })) }),
            metadata: decoys,
          }),
        )
        .map(([messages, more]) => ({ messages, maxTokens: 10, ...more }));
      await fc.assert(
        fc.asyncProperty(params, async (given) => {
          const asked: SamplingRequest[] = [];
          const sent: ParamsOf<'sampling/createMessage'>[] = [];
          const stage = createStage({
            onSampling: async (request) => {
              asked.push(request);
              return true;
            },
            createMessage: async (now) => {
              sent.push(now);
              return { model: 'm', role: 'assistant', content: { type: 'text', text: 'ok' } };
            },
          });
          await stage.ready();
          await stage.ask(1, 'sampling/createMessage', given);
          const [request] = asked;
          if (!request) return;
          expect(sent).toEqual([request.params]);
          const shown = shownText(toSamplingQuestion(request, words));
          const { messages, systemPrompt, maxTokens, ...settings } = request.params;
          expect(maxTokens).toBe(10);
          if (systemPrompt) expect(shown).toContain(systemPrompt);
          if (Object.keys(settings).length > 0)
            expect(shown).toContain(JSON.stringify(settings, undefined, 2));
          expect(Object.keys(settings)).not.toContain('metadata');
          for (const { content, ...more } of messages) {
            expect(Object.keys(more)).toEqual(['role']);
            for (const each of Array.isArray(content) ? content : [content])
              if (!toModelImage(each as ContentBlock)) expect(shown).toContain(toSamplingText(each));
              // A picture is shown as such, so there is nothing else in its block.
              else expect(Object.keys(each).toSorted()).toEqual(['data', 'mimeType', 'type']);
          }
        }),
        runs,
      );
    },
  );

  test('sampling: a fault in what is not shown lets no other key of a picture through', async () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const faults = [{ annotations: 5 }, { annotations: { priority: 9 } }, { _meta: 'x' }, { size: 'x' }];
    const sent: ParamsOf<'sampling/createMessage'>[] = [];
    const stage = createStage({
      onSampling: async () => true,
      createMessage: async (now) => {
        sent.push(now);
        return { model: 'm', role: 'assistant', content: { type: 'text', text: 'ok' } };
      },
    });
    await stage.ready();
    const content = faults.map((fault) => ({ ...picture, ...fault, text: 'HIDDEN' }));
    await stage.ask(1, 'sampling/createMessage', { maxTokens: 10, messages: [{ role: 'user', content }] });
    expect(sent.map(({ messages }) => messages[0]?.content)).toEqual([faults.map(() => picture)]);
  });
});

const isBlob = (given: ContentBlock, value: unknown): boolean =>
  given.type === 'resource' && 'blob' in given.resource && value === given.resource.blob;

test('sec-B10 what is written out is told apart from letters that look like it', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('\\', 'u{', '\\u{e0061}', '\\u{5c}', '}', '\u{e0061}', '\u202e'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const whole = parts.join('').replace(/\r\n?/g, '\n');
      const read = toTextPieces(whole)
        .join('')
        .replace(/\\u\{([0-9a-f]{1,6})\}/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
      expect(read).toBe(whole);
    }),
  );
});

test('sec-W3 all of a text is shown, however much of it is written out, and nothing is counted instead', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.integer({ min: 1, max: 400 }),
      (part, times) => {
        const whole = part.repeat(times);
        const shown = toTextPieces(whole).join('');
        expect(shown).not.toMatch(/more characters\)$/);
        // Letters that are seen stay what they are, and in their order.
        const seen = (value: string): string => value.replace(/\\u\{[0-9a-f]+\}/g, '').replace(/[^!-~]/g, '');
        if (!/\\u\{/.test(whole)) expect(seen(shown)).toBe(seen(whole));
      },
    ),
  );
});
