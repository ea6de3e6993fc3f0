import { expectLinearText, expectLinearValues, orRefusal, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAppHtml } from '../../packages/protocol/src/metadata/app-html.js';
import { CasementError } from '../../packages/protocol/src/errors.js';
import type { MetadataFinding } from '../../packages/protocol/src/metadata/metadata.js';
import { classifyAppMime, parseMime } from '../../packages/protocol/src/metadata/mime.js';
import { appPermissions, readResourceUi } from '../../packages/protocol/src/metadata/resource-metadata.js';
import { isPlainTool, readPlainResource } from '../../packages/protocol/src/metadata/plain-resource.js';
import { readToolLink } from '../../packages/protocol/src/metadata/tool-link.js';
import { readToolUi } from '../../packages/protocol/src/metadata/tool-metadata.js';
import { isToolVisibleTo } from '../../packages/protocol/src/metadata/tool-visibility.js';
import { runs } from './runs.js';

const keys = [
  ...['_meta', 'meta', 'ui', 'ui/resourceUri', 'ui.resourceUri', 'annotations', 'resourceUri', 'visibility'],
  ...[
    'csp',
    'permissions',
    'domain',
    'prefersBorder',
    'connectDomains',
    'resourceDomains',
    'camera',
    'microphone',
  ],
  ...[
    'openai/outputTemplate',
    'openai/widgetCSP',
    'openai/widgetDomain',
    'openai/visibility',
    'connect_domains',
  ],
];
const texts = ['ui://', 'ui://a/b', 'https://', 'model', 'app', '..', '%2e', '/', 'ui://a/../b'];

const isCasementError = (error: unknown): boolean => error instanceof CasementError;

/** Findings are shown and stored: they are short and hold nothing that is not seen. */
const expectPlain = (findings: readonly MetadataFinding[]): void => {
  for (const finding of findings) {
    expect(finding.message.length + finding.fix.length).toBeLessThan(2000);
    expect(finding.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
};

test('what a tool says of its app is read without surprise', () => {
  fc.assert(
    fc.property(valueOf(keys, texts), (tool) => {
      const read = readToolUi(tool);
      expectPlain(read.findings);
      expect(readToolUi(tool)).toEqual(read);
      if (read.resourceUri !== undefined) expect(read.resourceUri.startsWith('ui://')).toBe(true);
    }),
    runs(300),
  );
  expectLinearValues(readToolUi, (large) => ({ _meta: { ui: { resourceUri: large, visibility: large } } }));
  expectLinearValues(readToolUi, (large) => ({ _meta: large, meta: large, annotations: large }));
  expectLinearText(texts, (uri) => readToolUi({ _meta: { ui: { resourceUri: uri } } }));
});

/** Mostly as the specification has it, so that the short ways are taken often. */
const goodMeta = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    {},
    { ui: {} },
    { ui: { resourceUri: 'ui://a/b' } },
    { ui: { resourceUri: 'ui://a/b', visibility: ['app'] }, 'ui/resourceUri': 'ui://a/b' },
    { ui: { resourceUri: 'ui://a/b' }, 'ui/resourceUri': 'ui://a/c' },
    { ui: { prefersBorder: true }, other: 1 },
    { ui: { prefersBorder: 'yes' } },
    { ui: null },
    { uint: 1, 'ui.resourceUri': 'ui://a' },
  ),
  valueOf(keys, texts),
);

test('a tool about which the short way says nothing has no finding, and its link is the same', () => {
  let plain = 0;
  fc.assert(
    fc.property(goodMeta, fc.constantFrom('annotations', 'meta', 'other'), goodMeta, (_meta, place, more) => {
      const tool = { _meta, [place]: more };
      const { visibility, findings, ...link } = readToolUi(tool);
      expect(readToolLink(tool)).toEqual(link);
      expect(isToolVisibleTo(tool, 'app')).toBe(visibility.app);
      if (!isPlainTool(tool)) return;
      plain += 1;
      expect([...findings, ...readResourceUi({ content: {}, tool }).findings]).toEqual([]);
    }),
    runs(1_000),
  );
  expect(plain).toBeGreaterThan(10);
  expectLinearValues(isPlainTool, (large) => ({ _meta: large, annotations: large }));
});

test('a resource that the short way reads is read the same by the long one', () => {
  let plain = 0;
  /** The good value seven times of eight, else one of the others. */
  const mostly = <T>(good: T, ...others: readonly unknown[]): fc.Arbitrary<unknown> =>
    fc.oneof({ arbitrary: fc.constant(good), weight: 7 }, fc.constantFrom<unknown>(...others));
  const border = fc.constantFrom<unknown>({ ui: { prefersBorder: true } }, { ui: {} }, { other: 1 });
  const item = fc
    .record({
      uri: mostly('ui://a/b', 'ui://other', 5),
      mimeType: mostly('text/html;profile=mcp-app', 'text/html; profile=mcp-app', 'text/html', 5),
      text: mostly('<p>', ' \n<!doctype html>', '<', '', ' ', 'https://a.example', '<'.repeat(40), 5),
      blob: mostly(undefined, 'PHA+'),
      _meta: fc.oneof(border, goodMeta),
      meta: mostly(undefined, { ui: { prefersBorder: false } }, {}, 5),
    })
    .map((given) => ({ ...given }));
  const listing = fc.oneof(
    fc.constant(undefined),
    goodMeta.map((_meta) => ({ _meta })),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        { arbitrary: item.map((one) => [one]), weight: 4 },
        fc.array(item, { maxLength: 3 }),
        valueOf(keys, texts),
      ),
      listing,
      (contents, listed) => {
        const read = readPlainResource({ contents }, 'ui://a/b', listed, 100);
        expect(readPlainResource(contents, 'ui://a/b', listed, 100)).toEqual(
          Array.isArray(contents) ? read : undefined,
        );
        if (!read) return;
        plain += 1;
        const { ui, ...rest } = read;
        expect(rest).toEqual(readAppHtml({ contents }, 'ui://a/b', { maxBytes: 100 }));
        expect(ui).toEqual(readResourceUi({ content: read.item, listing: listed }));
      },
    ),
    runs(2_000),
  );
  expect(plain).toBeGreaterThan(10);
  const run = (text: string): unknown =>
    readPlainResource(
      [{ uri: 'ui://a/b', mimeType: 'text/html;profile=mcp-app', text }],
      'ui://a/b',
      undefined,
      1e9,
    );
  expectLinearText([' ', '<', '\n', 'a'], run);
});

test('what a resource says of itself is read without surprise', () => {
  fc.assert(
    fc.property(valueOf(keys, texts), valueOf(keys, texts), (content, listing) => {
      const read = readResourceUi({ content, listing });
      expectPlain(read.findings);
      expect(read.permissions.every((name) => appPermissions.includes(name))).toBe(true);
      expect(new Set(read.permissions).size).toBe(read.permissions.length);
      if (read.domain !== undefined) expect(read.domain.length).toBeLessThanOrEqual(253);
    }),
    runs(300),
  );
  const run = (content: unknown): unknown => readResourceUi({ content, listing: content });
  for (const field of ['csp', 'permissions', 'domain', 'prefersBorder'])
    expectLinearValues(run, (large) => ({ _meta: { ui: { [field]: large } } }));
  expectLinearValues(run, (large) => ({ _meta: { 'openai/widgetCSP': large } }));
});

test('a media type is read, and read the same when it is written again', () => {
  const pieces = [
    'text/html',
    'text/html+mcp',
    ';',
    'profile',
    '=',
    '"',
    'mcp-app',
    ' ',
    '\\"',
    'text/html+skybridge',
  ];
  fc.assert(
    fc.property(textOf(pieces), (value) => {
      const mime = parseMime(value);
      expect(typeof classifyAppMime(value)).toBe('string');
      if (!mime) return;
      expect(mime.type).toMatch(/^[^\s/;]+\/[^\s/;]+$/);
      const written = [
        mime.type,
        ...[...mime.parameters].map(([name, text]) => `${name}=${toQuoted(text)}`),
      ].join(';');
      if (written.length <= 512) expect(parseMime(written)).toEqual(mime);
    }),
    runs(500),
  );
  expectLinearText(pieces, parseMime, 200);
  expectLinearText(pieces, parseMime);
});

const toQuoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

test('the HTML of an app is found, or refused by name', () => {
  const item = fc.record(
    {
      uri: fc.constantFrom<unknown>('ui://a/b', 'ui://x', 1),
      mimeType: fc.constantFrom<unknown>(
        'text/html;profile=mcp-app',
        'text/html+skybridge',
        'text/html',
        'x/y',
        7,
      ),
      text: fc.oneof(textOf(['<!doctype html>', '<p>', 'https://a.example', ' ']), valueOf(keys)),
      blob: fc.oneof(fc.constantFrom('PGI+', 'w6k=', '/w==', '?'), fc.base64String(), valueOf(keys)),
    },
    { requiredKeys: [] },
  );
  const contents = fc.oneof(valueOf(['contents', 'text', 'uri']), fc.array(item, { maxLength: 3 }));
  fc.assert(
    fc.property(contents, fc.oneof(textOf(texts), fc.constant('ui://a/b')), (found, uri) => {
      for (const limits of [{}, { maxBytes: 20 }, { isEmbedded: true }]) {
        const read = orRefusal(() => readAppHtml({ contents: found }, uri, limits), isCasementError);
        if (!read) continue;
        expectPlain(read.findings);
        expect(read.html.trim()).not.toBe('');
        if ('maxBytes' in limits) expect(Buffer.byteLength(read.html)).toBeLessThanOrEqual(20);
      }
    }),
    runs(400),
  );
  const read = (item: unknown): unknown => orRefusal(() => readAppHtml([item], 'ui://a/b'), isCasementError);
  const mimeType = 'text/html;profile=mcp-app';
  expectLinearText([' ', 'https://', '<', '\n'], (text) => read({ uri: 'ui://a/b', mimeType, text }));
  expectLinearText(['PGI+', 'A', '=', '?'], (blob) => read({ uri: 'ui://a/b', mimeType, blob }));
  expectLinearText(texts, (uri) => orRefusal(() => readAppHtml([], uri), isCasementError));
  expectLinearValues((value) => orRefusal(() => readAppHtml(value, 'ui://a/b'), isCasementError));
});
