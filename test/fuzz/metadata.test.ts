import { expectLinearText, expectLinearValues, orRefusal, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAppHtml } from '../../packages/protocol/src/metadata/app-html.js';
import { CasementError } from '../../packages/protocol/src/errors.js';
import type { MetadataFinding } from '../../packages/protocol/src/metadata/metadata.js';
import { classifyAppMime, parseMime } from '../../packages/protocol/src/metadata/mime.js';
import { appPermissions, readResourceUi } from '../../packages/protocol/src/metadata/resource-metadata.js';
import { readToolUi } from '../../packages/protocol/src/metadata/tool-metadata.js';
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
