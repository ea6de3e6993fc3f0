import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { CONTENT_HASH_META_KEY, ETAG_META_KEY } from './app-content.js';
import { registerAppResource, registerAppTool } from './index.js';
import { generations, html, metaOf, says } from './wire.test-support.js';

const uri = 'ui://a/app.html';
const document = (text: string): string => `<!doctype html><title>${text}</title>`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const writeApp = (content: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-app-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'clock.html');
  writeFileSync(file, content);
  return file;
};

describe.each(generations)('on $generation', ({ generation, open }) => {
  test('a file is served, by path or URL, and names the address where the tool form is asked for', async () => {
    const file = writeApp(html);
    const wire = await open((server) => {
      registerAppTool(server, 'time', { ui: { template: { file }, uriForm: 'tool' } }, () => says('x'));
      registerAppResource(server, 'A', 'ui://a/1', {}, pathToFileURL(file));
      registerAppResource(server, 'B', 'ui://a/2', {}, { file: pathToFileURL(file) });
      registerAppResource(server, 'C', 'ui://a/3', {}, { file: pathToFileURL(file).href });
    });
    for (const asked of ['ui://time/clock.html', 'ui://a/1', 'ui://a/2', 'ui://a/3']) {
      expect(await wire.readResource(asked)).toMatchObject([{ uri: asked, text: html }]);
    }
  });

  test('a file that changes is read anew, and the listing follows', async () => {
    const file = writeApp(document('one'));
    const wire = await open((server) => registerAppResource(server, 'A', uri, { title: 'A' }, { file }));
    const [before] = await wire.listResources();
    expect(metaOf(before)[CONTENT_HASH_META_KEY]).toBe(sha256(document('one')));
    writeFileSync(file, document('three'));
    expect(await wire.readResource(uri)).toMatchObject([{ text: document('three') }]);
    const [after] = await wire.listResources();
    expect(metaOf(after)[CONTENT_HASH_META_KEY]).toBe(sha256(document('three')));
    expect(after).toEqual({ ...before, _meta: metaOf(after) });
    // Since 2026-07-28 clients hear of changes by a subscription; each request has a server of its own here.
    if (!generation.endsWith('2026-07-28')) await expect.poll(() => wire.changes()).toBe(1);
  });

  test('a file that is replaced is listed anew and announced before anyone reads it', async () => {
    const file = writeApp(document('one'));
    const wire = await open((server) => registerAppResource(server, 'A', uri, {}, { file }));
    const hash = async () => metaOf((await wire.listResources())[0])[CONTENT_HASH_META_KEY];
    const isTold = !generation.endsWith('2026-07-28');
    const announced = async (count: number) => {
      if (isTold) await expect.poll(() => wire.changes(), { timeout: 10_000 }).toBe(count);
    };
    // As editors do: written beside it, then put in its place.
    writeFileSync(`${file}.new`, document('two'));
    renameSync(`${file}.new`, file);
    await announced(1);
    expect(await hash()).toBe(sha256(document('two')));
    // A build that begins with removing the whole folder: while it is gone the last document stays listed.
    rmSync(dirname(file), { recursive: true });
    expect(await hash()).toBe(sha256(document('two')));
    await expect(wire.readResource(uri)).rejects.toThrow(/does not exist at the moment|internal error/i);
    mkdirSync(dirname(file));
    writeFileSync(file, document('three'));
    await announced(2);
    expect(await hash()).toBe(sha256(document('three')));
    // The new folder is watched as the old one was, and half a document is no news.
    writeFileSync(file, '<!doc');
    writeFileSync(file, document('four'));
    await announced(3);
    expect(await hash()).toBe(sha256(document('four')));
  });

  test('a file that disappears is an error without its place on the machine, and served again when it is back', async () => {
    const file = writeApp(document('here'));
    const wire = await open((server) => registerAppResource(server, 'A', uri, {}, { file }));
    rmSync(file);
    const error: unknown = await wire.readResource(uri).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(
      /The template file clock\.html does not exist at the moment\. Build the app, or correct the path\.|internal error/i,
    );
    expect(String(error)).not.toContain(dirname(file));
    // What a client has not asked for is not disturbed.
    expect(await wire.listResources()).toHaveLength(1);
    writeFileSync(file, document('back'));
    expect(await wire.readResource(uri)).toMatchObject([{ text: document('back') }]);
  });

  test('a function that throws fails that one reading', async () => {
    let isBroken = true;
    const wire = await open((server) => {
      registerAppResource(server, 'A', uri, {}, () => {
        if (isBroken) throw new Error('no data yet');
        return html;
      });
    });
    await expect(wire.readResource(uri)).rejects.toThrow(/no data yet|internal error/i);
    isBroken = false;
    expect(await wire.readResource(uri)).toMatchObject([{ text: html }]);
  });

  test('a media type the author gave stands in listing and content; one left undefined is the usual', async () => {
    const wire = await open((server) => {
      registerAppResource(server, 'A', 'ui://a', { mimeType: 'text/html+mcp' }, html);
      // As JavaScript may write it, or without exact optional types.
      registerAppResource(server, 'B', 'ui://b', { mimeType: undefined } as object, html);
    });
    const listed = (await wire.listResources()).map(({ mimeType }) => mimeType);
    const read = await Promise.all(
      ['ui://a', 'ui://b'].map(async (address) => (await wire.readResource(address))[0]?.['mimeType']),
    );
    expect(listed).toEqual(['text/html+mcp', 'text/html;profile=mcp-app']);
    expect(read).toEqual(listed);
  });

  test('a function is asked each time, with the address and the context of the request', async () => {
    let count = 0;
    const contexts: unknown[] = [];
    const wire = await open((server) => {
      registerAppTool(
        server,
        'show',
        {
          ui: {
            resourceUri: uri,
            prefersBorder: true,
            template: async (asked, context) => {
              contexts.push(context);
              count += 1;
              return document(`${asked.href} ${count}`);
            },
          },
        },
        () => says('x'),
      );
    });
    const [listing] = await wire.listResources();
    expect(metaOf(listing)).toEqual({ ui: { prefersBorder: true } });
    for (const turn of [1, 2]) {
      const text = document(`${uri} ${turn}`);
      const [content] = await wire.readResource(uri);
      expect(content).toMatchObject({ uri, text, mimeType: 'text/html;profile=mcp-app' });
      expect(metaOf(content)).toMatchObject({
        ui: { prefersBorder: true },
        [CONTENT_HASH_META_KEY]: sha256(text),
      });
    }
    expect(contexts).toHaveLength(2);
    expect(contexts[0]).toEqual(expect.any(Object));
  });

  test('what a function returns is checked as a fixed template is', async () => {
    const wire = await open((server) => registerAppResource(server, 'A', uri, {}, () => '<p>Hi</p>'));
    await expect(wire.readResource(uri)).rejects.toThrow(/doctype|internal error/i);
  });

  test('a whole result of the author is completed, and what it says itself stays', async () => {
    const wire = await open((server) => {
      const ui = { prefersBorder: true, domain: 'listed.example' };
      registerAppResource(server, 'A', uri, { ui }, () => ({
        contents: [
          { uri, text: html, _meta: { ui: { domain: 'said.example' }, own: 1 } },
          { uri: 'note://other', mimeType: 'text/plain', text: 'untouched' },
        ],
      }));
      registerAppResource(server, 'B', 'ui://b', {}, () => ({
        contents: [{ uri: 'ui://b', mimeType: 'text/html+mcp', blob: Buffer.from(html).toString('base64') }],
      }));
    });
    const [item, other] = await wire.readResource(uri);
    expect(item).toEqual({
      uri,
      text: html,
      mimeType: 'text/html;profile=mcp-app',
      _meta: {
        own: 1,
        ui: { prefersBorder: true, domain: 'said.example' },
        [CONTENT_HASH_META_KEY]: sha256(html),
        [ETAG_META_KEY]: expect.any(String),
      },
    });
    expect(other).toEqual({ uri: 'note://other', mimeType: 'text/plain', text: 'untouched' });
    const [blob] = await wire.readResource('ui://b');
    expect(blob).toMatchObject({
      mimeType: 'text/html+mcp',
      _meta: { [CONTENT_HASH_META_KEY]: sha256(html) },
    });
  });

  test('the hash is of the document, the tag of document and metadata: equal in listing and content', async () => {
    const wire = await open((server) => {
      registerAppResource(server, 'A', 'ui://a', {}, html);
      registerAppResource(server, 'B', 'ui://b', { ui: { prefersBorder: true } }, html);
      registerAppResource(server, 'C', 'ui://c', {}, document('other'));
    });
    const versions = await Promise.all(
      (await wire.listResources()).map(async (listing) => {
        const [content] = await wire.readResource(String(listing['uri']));
        const meta = metaOf(listing);
        expect(metaOf(content)).toEqual(meta);
        return { hash: meta[CONTENT_HASH_META_KEY], tag: String(meta[ETAG_META_KEY]) };
      }),
    );
    const [a, b, c] = versions;
    expect(a?.hash).toBe(sha256(html));
    expect(b?.hash).toBe(a?.hash);
    expect(c?.hash).not.toBe(a?.hash);
    expect(new Set(versions.map(({ tag }) => tag)).size).toBe(3);
    for (const { tag } of versions) expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  });
});

verifies(
  'SERVER-005',
  'only documents that begin as HTML5 are served; comments and a byte order mark may precede',
  async () => {
    const [, { open }] = generations;
    const wire = await open((server) => {
      registerAppResource(server, 'A', 'ui://a', {}, `\uFEFF\n<!-- built --> <!DOCTYPE HTML><p>Hi`);
      for (const wrong of ['<html></html>', 'Hi', '<!-- <!doctype html> -->', '<!doctype svg>']) {
        expect(() => registerAppResource(server, 'B', 'ui://b', {}, wrong), wrong).toThrow('<!doctype html>');
      }
      // Many comments and then something else: a search that goes back would never end.
      const noted = `${'<!-- note -->'.repeat(200)}<html></html>`;
      expect(() => registerAppResource(server, 'B', 'ui://b', {}, noted)).toThrow('<!doctype html>');
    });
    expect(await wire.listResources()).toHaveLength(1);
  },
);
