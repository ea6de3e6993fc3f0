import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { loaderScripts } from './loader-scripts.js';

const decisions = join(import.meta.dirname, '../../../docs/decisions');
const record = readFileSync(join(decisions, '0008-three-families-one-path.md'), 'utf8');

verifies(
  'S1-125',
  'a decision record weighs AppRenderer up by its size and keeps the OpenAI family, at the weights it states',
  () => {
    expect(record).toMatch(/`AppRenderer` of @mcp-ui\/client [\d.]+\*.*\d+ KB gzip/);
    const [, ...stated] =
      /gzip: MCP Apps ([\d.]+) KB, OpenAI ([\d.]+) KB, MCP-UI ([\d.]+) KB/.exec(record)?.map(Number) ?? [];
    const measured = [loaderScripts['mcp-apps'], loaderScripts.openai, loaderScripts['mcp-ui']].map(
      (script) => gzipSync(script, { level: 9 }).length / 1024,
    );
    expect(stated).toHaveLength(3);
    for (const [index, size] of measured.entries()) {
      expect(size).toBeGreaterThan(1);
      expect(Math.abs(size / (stated[index] ?? 0) - 1)).toBeLessThan(0.1);
    }
  },
);
