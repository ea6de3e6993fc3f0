import { expectLinearText, expectLinearValues, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnoseApp } from '../../packages/checks/src/doctor/diagnose-app.js';
import { healthyApp, toEvidence } from '../../packages/checks/src/doctor/doctor.test-support.js';
import { lintDocument } from '../../packages/checks/src/rules/lint-document.js';
import { lintResult } from '../../packages/checks/src/rules/lint-result.js';
import { lintTool } from '../../packages/checks/src/rules/lint-server.js';
import { scanHtml } from '../../packages/checks/src/rules/scan-html.js';
import { runs } from './runs.js';

const tags = [
  ...[
    '<',
    '>',
    '"',
    "'",
    '<!--',
    '-->',
    '<script',
    '</script>',
    '<style>',
    '</style',
    ' src=',
    '\n',
    '=',
    ' ',
  ],
  ...['<img src="', '<link rel=stylesheet href=', '<base href=x>', '<html lang=', 'data:', '/', 'a.js'],
  ...['</', '<?', '--!>', '<title>', '<noscript>', '\r'],
];

test('a document is judged in linear work, and whatever it is', () => {
  expectLinearText(tags, (html) => lintDocument({ html }));
  fc.assert(
    fc.property(textOf(tags), (html) => {
      // What ends a line in HTML.
      const lines = html.split(/\r\n|[\n\r]/).length;
      const { addresses, largest } = scanHtml(html);
      for (const { line } of [...addresses, ...largest]) expect(line).toBeLessThanOrEqual(lines);
      for (const { address } of addresses) expect(html).toContain(address);
    }),
    runs(200),
  );
});

test('what a tool declares is judged in linear work, and whatever it is', () => {
  expectLinearValues(
    (tool) => lintTool(tool, { tools: [tool] }),
    (large) => ({ name: 'a', annotations: large, _meta: { ui: large }, ui: large }),
  );
  const words = ['only', 'by', 'the', 'app', 'not', 'for', 'model', ' ', 'internal', 'view', '.'];
  expectLinearText(words, (description) => lintTool({ name: 'a', description }, { tools: [] }));
  const keys = ['name', '_meta', 'ui', 'resourceUri', 'visibility', 'csp', 'connectDomains', 'annotations'];
  fc.assert(
    fc.property(valueOf(keys), valueOf(keys), (tool, resource) => {
      expect(Array.isArray(lintTool(tool, { tools: [tool], resources: [resource] }))).toBe(true);
    }),
    runs(200),
  );
});

test('a result is judged in linear work', () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
  expectLinearValues(
    (structuredContent) => lintResult({ tool: { outputSchema: schema }, result: { structuredContent } }),
    (large) => ({ a: large }),
  );
});

test('what an app says of itself is judged in linear work', () => {
  const pieces = ['https://', 'a.example', '/', ':', '..', 'about:srcdoc', '\u202e', '%', '?', '#'];
  expectLinearText(pieces, (url) =>
    diagnoseApp({
      app: {
        ...healthyApp,
        evidence: toEvidence({ at: 1, kind: 'load-failed', url, element: url }),
        violations: [{ directive: url, blockedUri: url }],
        scriptErrors: [{ message: url, sourceFile: url, line: 1 }],
      },
    }),
  );
});
