import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import * as door from '@casement/host/element';

/** What a page may rely on; a name goes from here only with a new major version. */
const api = {
  exports: ['McpAppElement', 'buildMcpHostContext', 'defineMcpApp'],
  methods: [
    'callAppTool',
    'getSnapshot',
    'reload',
    'sendHostContextChanged',
    'sendInitializeResult',
    'sendToolCancelled',
    'sendToolInput',
    'sendToolInputPartial',
    'sendToolInputText',
    'sendToolResult',
    'stop',
    'teardown',
  ],
  properties: [
    'displayMode',
    'displayModes',
    'evidence',
    'fallbackText',
    'hostContext',
    'hostInfo',
    'limits',
    'on_resources_read',
    'on_tools_call',
    'policy',
    'recording',
    'resourceHtml',
    'resourceMeta',
    'resourceUri',
    'sandbox',
    'server',
    'tool',
    'toolCallId',
    'toolInput',
    'toolResult',
    'tools',
    'view',
  ],
  attributes: [
    'aria-label',
    'display-mode',
    'display-modes',
    'evidence',
    'resource-uri',
    'sandbox-base',
    'static-proxy',
    'title',
  ],
};

const inherited = ['constructor', 'addEventListener', 'attributeChangedCallback', 'connectedCallback'];

const readApi = (): typeof api => {
  const members = Object.entries(Object.getOwnPropertyDescriptors(door.McpAppElement.prototype)).filter(
    ([name]) => !inherited.includes(name) && !/^(dis)?connected/.test(name),
  );
  return {
    exports: Object.keys(door).sort(),
    methods: members.flatMap(([name, { value }]) => (value ? [name] : [])).sort(),
    properties: members.flatMap(([name, { get }]) => (get ? [name] : [])).sort(),
    attributes: [...door.McpAppElement.observedAttributes].sort(),
  };
};

verifies(
  ['S5-91'],
  'the element has exactly the properties, methods and attributes it is documented with',
  () => {
    expect(readApi()).toEqual(api);
  },
);

verifies(['S5-92'], 'the element brings no React with it, nor anything that is not ours', async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('@casement/host/element'))],
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    outdir: 'out',
    metafile: true,
    external: ['react', 'react-dom'],
  });
  const foreign = Object.keys(metafile.inputs)
    .filter((path) => path.includes('node_modules/'))
    .map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect([...new Set(foreign)].sort()).toEqual([]);
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external),
  );
  expect(outside).toEqual([]);
});
