import { expectLinearText, expectLinearValues, textOf, valueOf } from './inputs.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findScriptFailure, findStartFailure } from '../../packages/gateway/src/transport/command-failure.js';
import { findNearest } from '../../packages/protocol/src/metadata/find-nearest.js';
import { findExcess } from '../../packages/gateway/src/servers/list-entry-excess.js';
import { createServerLabels } from '../../packages/gateway/src/facts/server-labels.js';
import { runs } from './runs.js';

const config = { name: 'tsx', isNameDerived: true, kind: 'http', url: 'http://a.example/' } as const;

test('what is too much about an entry of a list is found in linear work', () => {
  expectLinearValues(findExcess, (large) => ({ name: 'x', inputSchema: large }));
  fc.assert(
    fc.property(valueOf(['name', 'inputSchema', 'properties']), (value) => {
      expect(findExcess(value)).toBeUndefined();
    }),
    runs(200),
  );
});

test('the nearest of many names is found in linear work, and is one of them', () => {
  const pieces = ['ui://', 'a', '/', '.html', 'app', '%20'];
  expectLinearText(pieces, (text) => findNearest('ui://a/app.html', [text]));
  expectLinearText(pieces, (text) => findNearest(text, ['ui://a/app.html']));
  fc.assert(
    fc.property(textOf(pieces), fc.array(textOf(pieces), { maxLength: 10 }), (word, names) => {
      for (const found of findNearest(word, names)) expect(names).toContain(found);
    }),
    runs(200),
  );
});

test('whatever a server calls itself, its label is short, printable and stays', () => {
  fc.assert(
    fc.property(textOf(['Bank', ' ', '(2)', '\u202e', '\u0000', '<b>']), (title) => {
      const labels = createServerLabels();
      labels.add(config);
      labels.add({ name: 'Bank', kind: 'http', url: config.url });
      const label = labels.labelOf(config, { name: 'x', title });
      expect(label?.length ?? 0).toBeLessThan(80);
      expect(label ?? '').not.toMatch(/[\p{Cc}\u202e]/u);
      // Letters of any alphabet count: Banké is another name.
      const letters = label?.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '');
      expect(letters?.toLowerCase()).not.toBe('bank');
      if (label !== undefined) expect(labels.labelOf(config, { name: 'other' })).toBe(label);
    }),
    runs(300),
  );
});

test('whatever a command is called, its failure is explained and printable', () => {
  const pieces = ['./', '../', 'node', '.mjs', ' ', '\u0000', '\u202e', 'x'.repeat(300), '-c'];
  const missing = Object.assign(new Error('spawn ENOENT'), { code: 'ENOENT' });
  fc.assert(
    fc.property(
      textOf(pieces),
      fc.array(textOf(pieces), { maxLength: 3 }),
      textOf(pieces),
      (command, args, cwd) => {
        const base = { name: 'x', kind: 'stdio', inheritEnv: false, args } as const;
        const failures = [
          findStartFailure({ ...base, args, command, env: { PATH: cwd } }, missing),
          findStartFailure({ ...base, args, command, cwd }, missing),
          findScriptFailure({ ...base, args, command: 'node' }),
        ];
        for (const failure of failures) {
          expect(failure?.code ?? 'command-invalid').toBe('command-invalid');
          const shown = `${failure?.message} ${failure?.hint}`;
          expect(shown.length).toBeLessThan(2000);
          expect(shown).not.toMatch(/[\p{Cc}\u202e]/u);
        }
      },
    ),
    runs(100),
  );
});
