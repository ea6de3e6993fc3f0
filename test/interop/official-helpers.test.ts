import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as ours from '@casement/server';
import type { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../verifies.js';
import {
  generations,
  html,
  metaOf,
  says,
  z,
  type Fields,
} from '../../packages/server/src/wire.test-support.js';
import { CONTENT_HASH_META_KEY, ETAG_META_KEY } from '../../packages/server/src/app-content.js';

const servers = join(import.meta.dirname, '../../e2e/servers/node_modules');
const places = {
  '2.0.4': '@modelcontextprotocol/ext-apps',
  '1.7.5': 'basic-react-1/node_modules/@modelcontextprotocol/ext-apps',
};
type Helpers = Pick<
  typeof ours,
  | 'registerAppTool'
  | 'registerAppResource'
  | 'getUiCapability'
  | 'RESOURCE_MIME_TYPE'
  | 'RESOURCE_URI_META_KEY'
  | 'EXTENSION_ID'
>;
const officialHelpers = async (version: keyof typeof places): Promise<Helpers> => {
  const file = join(servers, places[version], 'dist/src/server/index.js');
  // The same names with the same parameters: that is what is tested here.
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Helpers;
};

const uri = 'ui://weather/view.html';
const csp = { connectDomains: ['https://api.example.com'] };

/** A server as the official documentation writes it. */
const build =
  ({ registerAppTool, registerAppResource, RESOURCE_MIME_TYPE, RESOURCE_URI_META_KEY }: Helpers) =>
  (server: McpServer): void => {
    registerAppTool(
      server,
      'weather',
      {
        title: 'Weather',
        description: 'Shows the weather',
        inputSchema: z.object({ city: z.string() }),
        outputSchema: z.object({ degrees: z.number() }),
        annotations: { readOnlyHint: true },
        _meta: { ui: { resourceUri: uri, visibility: ['model', 'app'] }, own: { kept: true } },
      },
      ({ city }) => ({ ...says(`Sun in ${city}`), structuredContent: { degrees: 21 } }),
    );
    registerAppTool(server, 'old', { _meta: { [RESOURCE_URI_META_KEY]: uri } }, () => says('old'));
    registerAppTool(server, 'refresh', { _meta: { ui: { visibility: ['app'] } } }, () => says('new'));
    registerAppResource(server, 'View', uri, { title: 'View', description: 'The weather' }, () => ({
      contents: [
        { uri, mimeType: RESOURCE_MIME_TYPE, text: html, _meta: { ui: { csp, prefersBorder: true } } },
      ],
    }));
    registerAppResource(server, 'Listed', 'ui://weather/listed.html', { _meta: { ui: { csp } } }, () => ({
      contents: [{ uri: 'ui://weather/listed.html', mimeType: RESOURCE_MIME_TYPE, text: html }],
    }));
  };

/** The same server in our short form. */
const buildShort = (server: McpServer): void => {
  ours.registerAppTool(
    server,
    'weather',
    { title: 'Weather', ui: { template: html, resourceUri: uri, csp, prefersBorder: true } },
    () => says('Sun'),
  );
};
const buildLong =
  ({ registerAppTool, registerAppResource, RESOURCE_MIME_TYPE }: Helpers) =>
  (server: McpServer): void => {
    const _meta = { ui: { csp, prefersBorder: true } };
    registerAppTool(server, 'weather', { title: 'Weather', _meta: { ui: { resourceUri: uri } } }, () =>
      says('Sun'),
    );
    registerAppResource(server, 'Weather', uri, { title: 'Weather', _meta }, () => ({
      contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text: html, _meta }],
    }));
  };

/** Without the two keys only we write: the first named deviation. */
const withoutVersion = ({ _meta = {}, ...fields }: Fields): Fields => {
  const own: readonly string[] = [CONTENT_HASH_META_KEY, ETAG_META_KEY];
  const rest = Object.entries(_meta as Fields).filter(([key]) => !own.includes(key)); // metadata is an object
  return rest.length > 0 ? { ...fields, _meta: Object.fromEntries(rest) } : fields;
};

describe.each(Object.keys(places) as (keyof typeof places)[])(
  'beside the helpers of ext-apps %s',
  (version) => {
    describe.each(generations)('on $generation', ({ open }) => {
      verifies(
        ['S4-03', 'S4-04'],
        'a server lists, reads and calls the same with ours in their place',
        async () => {
          const official = await open(build(await officialHelpers(version)));
          const replaced = await open(build(ours));
          expect(await replaced.listTools()).toEqual(await official.listTools());
          expect(await replaced.listResources()).toEqual(await official.listResources());
          for (const [name, args] of [
            ['weather', { city: 'Rome' }],
            ['old', {}],
            ['refresh', {}],
          ] as const) {
            expect(await replaced.callTool(name, args)).toEqual(await official.callTool(name, args));
          }
          const read = await replaced.readResource(uri);
          expect(read.map(withoutVersion)).toEqual(await official.readResource(uri));
          expect(metaOf(read[0])).toHaveProperty([CONTENT_HASH_META_KEY]);
        },
      );

      test('the short form is the long one on the wire, but for the hash', async () => {
        const official = await open(buildLong(await officialHelpers(version)));
        const short = await open(buildShort);
        expect(await short.listTools()).toEqual(await official.listTools());
        expect((await short.listResources()).map(withoutVersion)).toEqual(await official.listResources());
        expect((await short.readResource(uri)).map(withoutVersion)).toEqual(await official.readResource(uri));
      });

      test('deviation: content says what only the listing said, as hosts of today read content alone', async () => {
        const listed = 'ui://weather/listed.html';
        const official = await open(build(await officialHelpers(version)));
        const replaced = await open(build(ours));
        const [theirs = {}] = await official.readResource(listed);
        const [mine = {}] = await replaced.readResource(listed);
        expect(theirs).not.toHaveProperty('_meta');
        expect(withoutVersion(mine)).toEqual({ ...theirs, _meta: { ui: { csp } } });
      });
    });

    test('constants and the capability reader are the same', async () => {
      const official = await officialHelpers(version);
      for (const name of ['RESOURCE_MIME_TYPE', 'RESOURCE_URI_META_KEY', 'EXTENSION_ID'] as const) {
        expect(ours[name]).toBe(official[name]);
      }
      const declared = { mimeTypes: ['text/html;profile=mcp-app'] };
      for (const capabilities of [
        { extensions: { [ours.EXTENSION_ID]: declared } },
        { extensions: {} },
        {},
        undefined,
        null,
      ]) {
        expect(ours.getUiCapability(capabilities)).toEqual(official.getUiCapability(capabilities));
      }
    });

    test('deviation: what no host would show is refused where the official helpers let it pass', async () => {
      const official = await officialHelpers(version);
      const wrong =
        ({ registerAppTool }: Helpers) =>
        (server: McpServer): void => {
          registerAppTool(server, 'x', { _meta: { ui: { resourceUri: 'https://a.example' } } }, () =>
            says('x'),
          );
        };
      const [, { open }] = generations;
      await expect(open(wrong(official))).resolves.toBeDefined();
      await expect(open(wrong(ours))).rejects.toThrow(ours.AppServerError);
    });
  },
);
