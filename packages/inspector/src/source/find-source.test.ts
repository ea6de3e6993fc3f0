import { examineSource } from '@casement/checks/source-map';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { AppCode, CodePlace, SourceAnswer } from './find-source.js';
import { findSource } from './find-source.js';
import { createSourceStore } from './source-store.js';

const map = JSON.stringify({
  version: 3,
  sources: ['src/app.ts'],
  sourcesContent: ['one\ntwo\n'],
  mappings: 'AACA',
});
const toHtml = (address: string): string =>
  `<!doctype html>\n<script>fail();\n//# sourceMappingURL=${address}\n</script>`;

const createCode = (changes: Partial<AppCode> = {}, address = 'app.map'): AppCode => ({
  session: 's1',
  uri: 'ui://shop/app.html',
  appOrigin: 'http://label.localhost:6271',
  readDocument: async () => toHtml(address),
  readResource: async (uri) => ({ contents: [{ uri, text: map }] }),
  ...changes,
});

const run = vi.fn(async (task: Parameters<typeof examineSource>[0]) => examineSource(task));
const place: CodePlace = { message: 'fail is not defined', sourceFile: '', line: 1, column: 1 };
const find = (code: AppCode, at: CodePlace = place): Promise<SourceAnswer> => findSource(code, at, run);
const toCode = async (answer: Promise<SourceAnswer>): Promise<string | undefined> =>
  (await answer).refusal?.code;

afterEach(() => {
  vi.useRealTimers();
  run.mockClear();
});

describe('a map that the server has', () => {
  test('is read by the address that the app’s own makes of it, and leads to the source', async () => {
    const asked: string[] = [];
    const readResource: AppCode['readResource'] = async (uri) => {
      asked.push(uri);
      return {
        contents: [
          { uri: 'ui://other', text: '{}' },
          { uri, text: map },
        ],
      };
    };
    const answer = await find(createCode({ readResource }));
    expect(asked).toEqual(['ui://shop/app.map']);
    expect(answer.original).toMatchObject({ file: 'src/app.ts', line: 2, column: 1 });
    expect(answer.written).toMatchObject({ line: 2, column: 9 });
  });

  test('may come in base64', async () => {
    const blob = btoa(map);
    const code = createCode({ readResource: async (uri) => ({ contents: [{ uri, blob }] }) });
    expect((await find(code)).original?.line).toBe(2);
  });

  test('that never comes is given up, and the lines as they were sent are shown', async () => {
    vi.useFakeTimers();
    let isAborted = false;
    const readResource: AppCode['readResource'] = (_uri, signal) => {
      signal.addEventListener('abort', () => (isAborted = true));
      return new Promise(() => undefined);
    };
    const answer = find(createCode({ readResource }));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await answer).toMatchObject({
      written: { line: 2 },
      refusal: { code: 'map-unreadable', reason: expect.stringContaining('no answer within 12 seconds') },
    });
    expect(isAborted).toBe(true);
  });

  test('that cannot be read is refused with the server’s words as text', async () => {
    const failing = createCode({
      readResource: () => Promise.reject(new Error('no\u202e such map')),
    });
    const { refusal } = await find(failing);
    expect(refusal?.code).toBe('map-unreadable');
    expect(refusal?.reason).toContain(String.raw`no\u{202e} such map`);
    expect(await toCode(find(createCode({ readResource: async () => ({ contents: [] }) })))).toBe(
      'map-unreadable',
    );
  });
});

describe('an address of the web', () => {
  const url = 'https://cdn.example/app.map';

  test('is left to the app’s frame, and to nobody else', async () => {
    const fetched: string[] = [];
    const readResource = vi.fn(createCode().readResource);
    const network = vi.spyOn(globalThis, 'fetch');
    const code = createCode(
      {
        readResource,
        fetchFromApp: async (asked) => {
          fetched.push(asked);
          return { text: map };
        },
      },
      url,
    );
    expect((await find(code)).original?.line).toBe(2);
    expect(fetched).toEqual([url]);
    expect(readResource).not.toHaveBeenCalled();
    expect(network).not.toHaveBeenCalled();
    network.mockRestore();
  });

  test('that the frame does not fetch is refused with its reason', async () => {
    const refusing = createCode({ fetchFromApp: async () => ({ refused: 'blocked' }) }, url);
    expect((await find(refusing)).refusal).toMatchObject({
      code: 'map-unreadable',
      reason: expect.stringContaining('blocked'),
      nextStep: expect.stringContaining('connectDomains'),
    });
    expect(await toCode(find(createCode({}, url)))).toBe('map-unreadable');
  });

  test('of a script is fetched the same way, and its map from beside it', async () => {
    const fetched: string[] = [];
    const code = createCode({
      fetchFromApp: async (asked) => {
        fetched.push(asked);
        return { text: asked.endsWith('.map') ? map : 'fail()\n//# sourceMappingURL=app.js.map' };
      },
    });
    const answer = await find(code, { ...place, sourceFile: 'https://cdn.example/x/app.js' });
    expect(answer.original?.line).toBe(2);
    expect(fetched).toEqual(['https://cdn.example/x/app.js', 'https://cdn.example/x/app.js.map']);
  });
});

describe('a place', () => {
  test('comes from the stack where the event has none', async () => {
    const stack = 'TypeError: x\n    at <anonymous>:1:1\n    at <anonymous>:1:5';
    const answer = await find(createCode(), { message: 'x', stack });
    expect(answer.original?.line).toBe(2);
    expect(await toCode(find(createCode(), { message: 'x' }))).toBe('no-place');
    expect(await toCode(find(createCode(), { message: 'x', line: 0, column: 0 }))).toBe('no-place');
  });

  test('in a document that the server does not give any more has no source', async () => {
    expect(await toCode(find(createCode({ readDocument: async () => undefined })))).toBe('document-changed');
    const failing = createCode({ readDocument: () => Promise.reject(new Error('gone')) });
    expect(await toCode(find(failing))).toBe('document-changed');
  });

  test('in a file of another kind is looked for by the name a script gives itself, and read from nowhere', async () => {
    for (const sourceFile of ['file:///etc/passwd', 'blob:http://x/1', 'chrome-extension://a/b.js'])
      expect(await toCode(find(createCode(), { ...place, sourceFile })), sourceFile).toBe('no-script');
  });
});

describe('the store', () => {
  test('looks for a place once, and again after a refusal', async () => {
    const store = createSourceStore(run);
    const code = createCode();
    const [one, other] = await Promise.all([store.find(code, place), store.find(code, { ...place })]);
    expect(one).toBe(other);
    await store.find(code, place);
    expect(run).toHaveBeenCalledTimes(2);
    const failing = createCode({ session: 's2', readDocument: async () => undefined });
    await store.find(failing, place);
    expect((await store.find({ ...code, session: 's2' }, place)).original?.line).toBe(2);
  });

  test('keeps a hundred answers at most', async () => {
    const store = createSourceStore(run);
    const at = (column: number): Promise<SourceAnswer> =>
      store.find(createCode({ session: `s${column}` }), place);
    for (let column = 0; column < 101; column += 1) await at(column);
    const before = run.mock.calls.length;
    await at(100);
    expect(run.mock.calls.length).toBe(before);
    await at(0);
    expect(run.mock.calls.length).toBe(before + 2);
  });
});
