// An MCP server over stdio whose tools each make one mistake of an author that a doctor can see, and one that makes none.
import { answerLines } from '../../support/answer-lines.mjs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const bridge = await readFile(join(import.meta.dirname, '../../fixtures/guest-bridge.js'), 'utf8');

const toPage = (body, head = '', language = 'lang="en"') => `<!doctype html>
<html ${language}><head><meta charset="utf-8" /><title>An app</title>${head}
<script>${bridge}</script></head><body>${body}</body></html>`;

const ready = (script = '') =>
  `<p>Forecast</p><script>bridge.initialize().then(() => { ${script} });</script>`;
const schema = { type: 'object', properties: { high: { type: 'number' } }, required: ['high'] };
const text = [{ type: 'text', text: 'done' }];

/** Each tool: the page it shows, and what else is said of tool, resource and result. */
const mistakes = {
  healthy: { html: toPage(ready()) },
  'uses-storage': {
    html: toPage(
      "<p>Forecast</p><script>localStorage.setItem('city', 'Kyoto'); bridge.initialize();</script>",
    ),
  },
  'asks-the-browser': {
    html: toPage(
      ready(`alert('Rain'); confirm('Sure?'); prompt('City?'); window.open('https://example.com'); print();
        navigator.clipboard.writeText('Kyoto').catch(() => {});
        document.createElement('video').requestPictureInPicture().catch(() => {});`),
    ),
  },
  'uses-camera': {
    html: toPage(
      ready(`navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => {});
        navigator.geolocation.getCurrentPosition(() => {}, () => {});`),
    ),
  },
  'many-files': {
    html: toPage(
      '<div id="root"></div>',
      '<script type="module" crossorigin src="/assets/index-D3x.js"></script>',
    ),
  },
  'missing-file': {
    html: toPage(ready(), `<script crossorigin src="https://files.example.com/chart.js"></script>`),
    ui: { csp: { resourceDomains: ['https://files.example.com'] } },
  },
  'missing-picture': {
    html: toPage(`<img alt="" src="https://files.example.com/map.png" />${ready()}`),
    ui: { csp: { resourceDomains: ['https://files.example.com'] } },
  },
  'missing-library': {
    html: toPage(
      '<div id="map"></div><script>bridge.initialize().then(() => window.L?.map());</script>',
      '<script src="https://maps.example.com/leaflet.js"></script>',
    ),
    ui: { csp: { resourceDomains: ['https://maps.example.com'] } },
  },
  'throws-at-start': {
    html: toPage(
      `<script>document.getElementById('forecast').textContent = 'Sunny';</script>
       <script>window.recover = () => bridge.initialize();</script><p>Forecast</p>`,
    ),
  },
  'undeclared-domain': {
    html: toPage(ready("fetch('https://api.example.com/forecast').catch(() => {});")),
  },
  'unlike-its-schema': {
    html: toPage(ready()),
    tool: { outputSchema: schema },
    result: { content: text, structuredContent: { high: 'warm' } },
  },
  'no-content': { html: toPage(ready()), result: { content: [], structuredContent: { high: 21 } } },
  'no-annotations': { html: toPage(ready()), tool: { annotations: undefined } },
  'reads-and-destroys': {
    html: toPage(ready()),
    tool: { annotations: { readOnlyHint: true, destructiveHint: true } },
  },
  'twelve-megabytes': {
    html: toPage(`<img alt="" src="data:image/png;base64,${'A'.repeat(12_000_000)}" />${ready()}`),
  },
  'too-wide': {
    html: toPage(`<style>body { margin: 0 }</style><div style="width: 3000px">Wide</div>${ready()}`),
  },
  'shows-nothing': { html: toPage('<script>bridge.initialize();</script>') },
  'ui-outside-meta': {
    html: toPage(ready()),
    tool: { _meta: undefined, ui: { resourceUri: 'ui://author/healthy.html' } },
  },
  'policy-outside-ui': {
    html: toPage(ready()),
    meta: { csp: { connectDomains: ['https://api.example.com'] } },
  },
  'names-no-language': { html: toPage(ready(), '', '') },
  'contradicts-its-language': { html: toPage(ready(), '', 'lang="he"') },
  'follows-the-locale': {
    html: toPage(`<p>Forecast</p><script>
      bridge.initialize().then(({ result }) => {
        const { locale } = result.hostContext;
        Object.assign(document.documentElement, { lang: locale, dir: locale.startsWith('ar') ? 'rtl' : 'ltr' });
      });
    </script>`),
  },
  'asks-for-a-tool': {
    html: toPage(
      ready("bridge.request('tools/call', { name: 'poll-foercast', arguments: {} }).catch(() => {});"),
    ),
  },
};

const toUri = (name) => `ui://author/${name}.html`;

const tools = [
  ...Object.entries(mistakes).map(([name, { tool = {} }]) => ({
    name,
    description: `Shows the app ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri: toUri(name) } },
    ...tool,
  })),
  {
    name: 'poll-forecast',
    description: 'Returns the newest forecast. Called only by the app.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
];

const readResource = ({ uri }) => {
  const { html, ui, meta = ui && { ui } } = mistakes[uri.replace(/^ui:\/\/author\/|\.html$/g, '')] ?? {};
  if (html === undefined) throw Object.assign(new Error(`Resource ${uri} not found`), { code: -32002 });
  const mimeType = 'text/html;profile=mcp-app';
  return { contents: [{ uri, mimeType, text: html, ...(meta ? { _meta: meta } : {}) }] };
};

answerLines({
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'author', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name }) => mistakes[name]?.result ?? { content: text },
  'resources/list': () => ({ resources: [] }),
  'resources/read': readResource,
});
