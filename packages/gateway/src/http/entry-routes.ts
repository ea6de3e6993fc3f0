import { CasementError } from '@casement/protocol/start';
import * as v from 'valibot';
import type { Entries } from '../entries/entries.js';
import type { EntryDraft, StoredItem } from '../facts/server-entry.js';
import { jsonBody } from './json-body.js';
import type { Routes } from './routes.js';

/** What the routes about configured servers and stored data are made of; both are loaded when they are asked for. */
export interface EntryParts {
  entries(): Promise<Entries>;
  stored: {
    list(): Promise<StoredItem[]>;
    forget(what: readonly string[]): Promise<void>;
  };
}

const MAX_DRAFTS = 1000;

const text = v.pipe(v.string(), v.maxLength(100_000));
const shortText = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const values = v.optional(
  v.pipe(
    v.array(v.object({ name: shortText, text: v.optional(text), secret: v.optional(v.literal(true)) })),
    v.maxLength(500),
  ),
);
const common = {
  name: shortText,
  isNameDerived: v.optional(v.boolean()),
  account: v.optional(shortText),
  inputs: v.optional(
    v.pipe(
      v.array(
        v.object({
          id: shortText,
          description: v.optional(v.pipe(v.string(), v.maxLength(1000))),
          password: v.boolean(),
          options: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(2000))), v.maxLength(200))),
          default: v.optional(v.pipe(v.string(), v.maxLength(2000))),
        }),
      ),
      v.maxLength(200),
    ),
  ),
};

const draft = v.variant('kind', [
  v.object({
    ...common,
    kind: v.literal('stdio'),
    command: text,
    args: v.pipe(v.array(text), v.maxLength(1000)),
    cwd: v.optional(text),
    env: values,
  }),
  v.object({
    ...common,
    kind: v.literal('http'),
    url: v.pipe(v.string(), v.maxLength(8192)),
    transport: v.optional(v.literal('sse')),
    headers: values,
  }),
]);

/** The body that hands in a text to read. */
const parseBody = v.object({ text: v.string() });
/** The body that hands in entries to keep. */
const addBody = v.object({ entries: v.pipe(v.array(draft), v.minLength(1), v.maxLength(MAX_DRAFTS)) });
/** The body that changes one. */
const changeBody = v.object({ entry: draft });
/** The body that says yes to exactly this, with the values that were asked for. */
const confirmBody = v.object({
  hash: shortText,
  inputs: v.optional(v.record(v.string(), v.pipe(v.string(), v.maxLength(100_000)))),
});
const enableBody = v.object({ enabled: v.boolean() });
const orderBody = v.object({ names: v.pipe(v.array(shortText), v.maxLength(10_000)) });
const forgetBody = v.object({ what: v.pipe(v.array(shortText), v.maxLength(20)) });
const emptyBody = v.object({});

// Members that a body leaves out are left out of the draft too: valibot's types allow undefined for them, JSON has none.
const toDraft = (body: v.InferOutput<typeof draft>): EntryDraft => body as EntryDraft;

/** Adds the routes about configured servers. They add and start nothing but what a page with the token hands in. */
export const addEntryRoutes = <Known>(routes: Routes<Known>, { entries }: Pick<EntryParts, 'entries'>) =>
  routes
    .get('/api/entries', async () => (await entries()).list())
    .post('/api/entries', jsonBody(addBody), async (_asked, _params, body) => ({
      entries: await (await entries()).add(body.entries.map(toDraft)),
    }))
    .post('/api/entries/parse', jsonBody(parseBody), async (_asked, _params, body) =>
      (await entries()).parse(body.text),
    )
    .post('/api/entries/order', jsonBody(orderBody), async (_asked, _params, { names }) => ({
      names: await (await entries()).order(names),
    }))
    .post('/api/entries/:name/change', jsonBody(changeBody), async (_asked, { name }, { entry }) => ({
      entry: await (await entries()).change(name, toDraft(entry)),
    }))
    .post(
      '/api/entries/:name/confirm',
      jsonBody(confirmBody),
      async (_asked, { name }, { hash, inputs = {} }) => {
        if (Object.keys(inputs).length > 200)
          throw new CasementError('bad-request', 'These are too many values.');
        const { entry, server } = await (
          await entries()
        ).confirm(name, hash, new Map(Object.entries(inputs)));
        return { entry, server };
      },
    )
    .post('/api/entries/:name/enable', jsonBody(enableBody), async (_asked, { name }, { enabled }) => ({
      entry: await (await entries()).enable(name, enabled),
    }))
    .post('/api/entries/:name/remove', jsonBody(emptyBody), async (_asked, { name }) => {
      await (await entries()).remove(name);
      return {};
    });

/** Adds the routes about what is stored on this machine. */
export const addStoredRoutes = <Known>(routes: Routes<Known>, { stored }: Pick<EntryParts, 'stored'>) =>
  routes
    .get('/api/stored', async () => ({ items: await stored.list() }))
    .post('/api/stored/forget', jsonBody(forgetBody), async (_asked, _params, { what }) => {
      await stored.forget(what);
      return { items: await stored.list() };
    });
