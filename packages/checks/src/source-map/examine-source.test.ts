import { SourceMap } from 'node:module';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SourceMapBudget } from './budget.js';
import { examineSource, type SourceOutcome } from './index.js';

const base = 'ui://maps/app.html';

/** Reads a text as a map, for a place of the script; columns count from 0 here. */
const lookUp = (
  map: unknown,
  [line, column]: readonly [number, number],
  budget?: SourceMapBudget,
): SourceOutcome =>
  examineSource(
    {
      task: 'map',
      map: { text: typeof map === 'string' ? map : JSON.stringify(map) },
      place: { line, column },
    },
    budget,
  );

const tiny = (changes: object): object => ({
  version: 3,
  sources: ['src/app.ts'],
  sourcesContent: ['one\ntwo\nthree\n'],
  // Column 0 of the script's first line is column 1 of the source's second.
  mappings: 'AACC',
  ...changes,
});

const toCode = ({ refusal }: SourceOutcome): string | undefined => refusal?.code;

/** Sources with words that are nowhere else, one on most lines. */
const toSources = (count: number): Record<string, string> => {
  const toBody = (file: number): string =>
    Array.from(
      { length: 30 },
      (_, line) =>
        `${' '.repeat(line % 7)}export const value${file}_${line} = (text: string): string => {\n  if (text === 'other') throw new Error('mark-${file}-${line}');\n  return text + 'end-${file}-${line}';\n};\n`,
    ).join('\n');
  return Object.fromEntries(Array.from({ length: count }, (_, file) => [`./part${file}.ts`, toBody(file)]));
};

const bundleApp = async (minify: boolean): Promise<{ script: string; map: string }> => {
  const sources = toSources(4);
  const names = Object.keys(sources);
  const entry = names.map((name, at) => `import * as p${at} from '${name}'; console.log(p${at});`).join('\n');
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: '/' },
    bundle: true,
    minify,
    sourcemap: 'external',
    outfile: '/out.js',
    format: 'iife',
    write: false,
    plugins: [
      {
        name: 'sources',
        setup(here) {
          here.onResolve({ filter: /part/ }, ({ path }) => ({ path, namespace: 'made' }));
          here.onLoad({ filter: /.*/, namespace: 'made' }, ({ path }) => ({
            contents: sources[path] ?? '',
            loader: 'ts',
          }));
        },
      },
    ],
  });
  const read = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: read('out.js'), map: read('.map') };
};

/** Line and column of an index, from 1 and from 0. */
const toPlace = (text: string, index: number): [number, number] => {
  const before = text.slice(0, index).split('\n');
  return [before.length, before.at(-1)?.length ?? 0];
};

describe.each([['minified', true] as const, ['as it was written', false] as const])(
  'a bundle %s',
  (_name, minify) => {
    test('leads from every mark in it to the mark in its source, with the lines around', async () => {
      const { script, map } = await bundleApp(minify);
      const marks = [...script.matchAll(/"mark-\d-\d+"/g)];
      expect(marks).toHaveLength(120);
      for (const { index, 0: quoted } of marks) {
        const { original, refusal } = lookUp(map, toPlace(script, index));
        expect(refusal).toBeUndefined();
        const shown = original?.lines.find(({ number }) => number === original.line);
        expect(shown?.text.slice(shown.mark, (shown.mark ?? 0) + quoted.length)).toBe(
          `'${quoted.slice(1, -1)}'`,
        );
        expect(original?.file).toBe(`made:./part${quoted.charAt(6)}.ts`);
      }
    });

    test('leads from any place of it where Node’s own reader of maps leads', async () => {
      const { script, map } = await bundleApp(minify);
      const own = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]);
      fc.assert(
        fc.property(fc.nat(script.length - 1), (index) => {
          const [line, column] = toPlace(script, index);
          const entry = own.findEntry(line - 1, column);
          const { original, refusal } = lookUp(map, [line, column]);
          // Node goes on to earlier lines where a line has nothing before the column.
          if (!('generatedLine' in entry) || entry.generatedLine !== line - 1 || !entry.originalSource)
            expect(refusal?.code).toBe('place-not-mapped');
          else
            expect([original?.file, original?.line, original?.column]).toEqual([
              entry.originalSource,
              entry.originalLine + 1,
              entry.originalColumn + 1,
            ]);
        }),
      );
    });
  },
);

describe('a place in a document', () => {
  const script = '\nlet quiet = 1;\nmissing.field;\n';
  const html = `<!doctype html>\n<!-- <script>no</script> -->\n<style>a{}</style><script>first();</script>\n<p>text</p>\n<script>${script}</script>`;
  const place = (line: number, column: number, message = 'Uncaught ReferenceError: missing is not defined') =>
    examineSource({ task: 'document', html, base, place: { line, column }, message });

  test('is found in the script that it is counted from, and in the HTML, and shown by its line there', () => {
    for (const [line, column] of [
      [3, 1],
      [7, 1],
    ] as const) {
      const { written, refusal, isGuess } = place(line, column);
      expect(written).toMatchObject({ file: 'the app’s HTML', line: 7, column: 1 });
      expect(written?.lines).toContainEqual({ number: 7, text: 'missing.field;', mark: 0 });
      expect(refusal?.code).toBe('no-map');
      expect(isGuess).toBeUndefined();
    }
  });

  test('is found as Firefox counts it, from the script that wrote the document', () => {
    const found = examineSource({
      task: 'document',
      html,
      base,
      place: { line: 8, column: 1 },
      message: 'missing is not defined',
      counting: 'writer',
    });
    expect(found.written).toMatchObject({ line: 7, column: 1 });
  });

  test('is in the script whose code fits the error, and a guess where two scripts are alike', () => {
    const both = (message: string, one: string, two: string): SourceOutcome =>
      examineSource({
        task: 'document',
        html: `<script>${one}</script><script>${two}</script>`,
        base,
        place: { line: 1, column: 5 },
        message,
      });
    const alike = both('Uncaught Error: x', 'first(one)', 'first(two)');
    expect(alike.isGuess).toBe(true);
    const fits = both('Uncaught Error: x', 'let longer = "than the other";', 'f();throw new Error("x")');
    expect(fits.written?.lines[0]?.text).toContain('throw');
    expect(fits.isGuess).toBeUndefined();
  });

  test('is in the script that has the name the browser says', () => {
    const named = (name: string): SourceOutcome =>
      examineSource({
        task: 'document',
        html: '<script>one();\n//# sourceURL=one.js\n</script><script>two();\n//# sourceURL=two.js\n</script>',
        base,
        place: { line: 1, column: 1 },
        message: '',
        name,
      });
    expect(named('two.js').written?.lines[0]?.text).toBe('two();');
    expect(toCode(named('three.js'))).toBe('no-script');
  });

  test('counts line ends as HTML has them before a script and as scripts have them inside', () => {
    const odd = '\r\n<p>\u2028</p>\r<script>let a = "\u2028";\rmissing()</script>';
    const { written } = examineSource({
      task: 'document',
      html: odd,
      base,
      place: { line: 3, column: 1 },
      message: 'missing',
    });
    expect(written?.lines.map(({ text }) => text)).toEqual(['let a = "', '";', 'missing()']);
    expect(written?.line).toBe(5);
  });

  test('in data, in another element or nowhere is in no script', () => {
    for (const other of [
      '<script type="application/json">{"a":1}</script>',
      '<script src="x.js">missing()</script>',
      '<textarea><script>missing()</script></textarea>',
      '<p title="<script>missing()</script>">',
      '',
    ])
      expect(
        toCode(
          examineSource({ task: 'document', html: other, base, place: { line: 1, column: 1 }, message: '' }),
        ),
        other,
      ).toBe('no-script');
    expect(toCode(place(999, 1))).toBe('no-script');
    for (const line of [0, -1, 1.5, Number.NaN, Infinity]) expect(toCode(place(line, 1))).toBe('no-place');
  });

  test('leads through an inline map to the source', () => {
    const toDocument = (address: string): string =>
      `<script>x();\n//# sourceMappingURL=${address}\n</script>`;
    const map = JSON.stringify(tiny({ sourcesContent: ['one\ntwö\n'] }));
    for (const address of [
      `data:application/json;base64,${Buffer.from(map).toString('base64')}`,
      `data:application/json;charset=utf-8;base64,${Buffer.from(map).toString('base64')}`,
      `data:application/json,${encodeURIComponent(map)}`,
    ]) {
      const found = examineSource({
        task: 'document',
        html: toDocument(address),
        base,
        place: { line: 1, column: 1 },
        message: '',
      });
      expect(found.original).toMatchObject({ file: 'src/app.ts', line: 2, column: 2 });
      expect(found.original?.lines.map(({ text }) => text)).toEqual(['one', 'twö', '']);
    }
  });

  test('tells where a map is that somebody has to read, and opens no address of another kind', () => {
    const follow = (address: string): SourceOutcome =>
      examineSource({
        task: 'document',
        html: `<script>x();\n//# sourceMappingURL=${address}\n</script>`,
        base,
        place: { line: 1, column: 1 },
        message: '',
      });
    const at = { line: 1, column: 0 };
    expect(follow('app.js.map').elsewhere).toEqual({
      address: { kind: 'resource', uri: 'ui://maps/app.js.map' },
      at,
    });
    expect(follow('ui://other/app.map').elsewhere?.address).toEqual({
      kind: 'resource',
      uri: 'ui://other/app.map',
    });
    expect(follow('https://cdn.example/app.map').elsewhere?.address).toEqual({
      kind: 'fetch',
      url: 'https://cdn.example/app.map',
    });
    for (const address of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'blob:x',
      'https://',
      'x'.repeat(3_000),
      'data:x',
      'data:application/json;base64,!',
      'data:application/json,%',
    ]) {
      expect(toCode(follow(address)), address).toBe('map-address');
      expect(follow(address).elsewhere).toBeUndefined();
      expect(follow(address).refusal?.nextStep).not.toBe('');
    }
  });

  test('counts as the map does where a template put an empty line before the code', () => {
    const address = `data:application/json,${encodeURIComponent(JSON.stringify(tiny({})))}`;
    const html = `<script>\nx();\n//# sourceMappingURL=${address}\n</script>`;
    const found = examineSource({ task: 'document', html, base, place: { line: 2, column: 1 }, message: '' });
    expect(found.original).toMatchObject({ file: 'src/app.ts', line: 2, column: 2 });
    expect(found.written).toMatchObject({ line: 2, column: 1 });
  });

  test('takes the last comment that names a map, not words that look like one', () => {
    const html = `<script>let a = "//# sourceMappingURL=one.map";\n//@ sourceMappingURL=two.map\nlet b = 'sourceMappingURL=three.map';</script>`;
    const found = examineSource({ task: 'document', html, base, place: { line: 1, column: 1 }, message: '' });
    expect(found.elsewhere?.address).toEqual({ kind: 'resource', uri: 'ui://maps/two.map' });
  });
});

describe('a hostile map is refused by name:', () => {
  test('one of 50 MB, before anything of it is read', () => {
    const text = `{"version":3,"x":"${'x'.repeat(50 * 1024 * 1024)}"}`;
    expect(toCode(lookUp(text, [1, 0]))).toBe('map-too-large');
    expect(
      toCode(
        examineSource({
          task: 'map',
          map: { base64: 'A'.repeat(70_000_000) },
          place: { line: 1, column: 0 },
        }),
      ),
    ).toBe('map-too-large');
    const inline = `<script>x\n//# sourceMappingURL=data:application/json,${encodeURIComponent(text)}</script>`;
    expect(
      toCode(
        examineSource({ task: 'document', html: inline, base, place: { line: 1, column: 1 }, message: '' }),
      ),
    ).toBe('map-too-large');
  });

  test('one with ten million segments, after four million of them', () => {
    const one = lookUp(tiny({ mappings: 'AAAA,'.repeat(5_000_000) }), [1, 0]);
    expect(toCode(one)).toBe('map-too-many-segments');
    expect(one.refusal?.reason).toContain('4,000,000');
    expect(toCode(lookUp(tiny({ mappings: ';'.repeat(10_000_000) }), [20_000_000, 0]))).toBe(
      'place-not-mapped',
    );
  });

  test.each([
    ['no JSON', 'x', 'map-broken'],
    ['a list', [], 'map-broken'],
    ['nothing', null, 'map-broken'],
    ['version 2', tiny({ version: 2 }), 'map-broken'],
    ['mappings of numbers', tiny({ mappings: 7 }), 'map-broken'],
    ['sources that are no list', tiny({ sources: { length: 1e9 } }), 'map-broken'],
    ['a character that is none', tiny({ mappings: 'AA!C' }), 'map-broken'],
    ['a letter beyond ASCII', tiny({ mappings: 'AAéC' }), 'map-broken'],
    ['a number without end', tiny({ mappings: 'AAAg' }), 'map-broken'],
    ['a number too long', tiny({ mappings: `AAA${'g'.repeat(20)}A` }), 'map-broken'],
    ['a negative line', tiny({ mappings: 'AADA' }), 'map-broken'],
    ['a negative source', tiny({ mappings: 'ADAA' }), 'map-broken'],
    ['two numbers', tiny({ mappings: 'AA' }), 'map-broken'],
    ['six numbers', tiny({ mappings: 'AAAAAA' }), 'map-broken'],
    ['a source that is not there', tiny({ mappings: 'ACAA' }), 'map-broken'],
    ['a line the source does not have', tiny({ mappings: 'AAoBA' }), 'map-broken'],
    ['only a segment without a source', tiny({ mappings: 'A' }), 'place-not-mapped'],
    ['no text for the source', tiny({ sourcesContent: [7] }), 'no-source-text'],
    ['no texts', tiny({ sourcesContent: { 0: 'x' } }), 'no-source-text'],
    ['sections that are no list', { version: 3, sections: {} }, 'map-broken'],
    ['a section without a place', { version: 3, sections: [{ map: tiny({}) }] }, 'map-broken'],
    ['a section at -1', { version: 3, sections: [{ offset: { line: -1, column: 0 } }] }, 'map-broken'],
    [
      'a section elsewhere',
      { sections: [{ offset: { line: 0, column: 0 }, url: 'file:///x' }] },
      'map-sections',
    ],
    ['too many sections', { sections: Array.from({ length: 1_001 }, () => null) }, 'map-sections'],
    [
      'sections in sections',
      { sections: [{ offset: { line: 0, column: 0 }, map: { version: 3, sections: [] } }] },
      'map-sections',
    ],
    ['no section at the place', { sections: [{ offset: { line: 7, column: 0 } }] }, 'place-not-mapped'],
    ['lists in lists', `${'['.repeat(500_000)}`, 'map-broken'],
  ])('%s', (_name, map, code) => {
    const found = lookUp(map, [1, 0]);
    expect(toCode(found)).toBe(code);
    expect(found.refusal?.reason).not.toBe('');
    expect(found.refusal?.nextStep).not.toBe('');
  });

  test('keys that mean something to every object change nothing', () => {
    const text = JSON.stringify(tiny({})).replace(
      '{',
      '{"__proto__":{"sections":[]},"constructor":1,"toString":2,',
    );
    expect(lookUp(text, [1, 0]).original).toMatchObject({ file: 'src/app.ts', line: 2, column: 2 });
    expect(toCode(lookUp('{"__proto__":{"version":3,"mappings":"","sources":[]}}', [1, 0]))).toBe(
      'map-broken',
    );
  });

  test('names of files and addresses are text, whatever the root before them says', () => {
    const nameOf = (changes: object): string | undefined => lookUp(tiny(changes), [1, 0]).original?.file;
    expect(nameOf({ sources: ['file:///etc/passwd'] })).toBe('file:///etc/passwd');
    expect(nameOf({ sources: ['a.ts'], sourceRoot: 'https://evil.example/..' })).toBe(
      'https://evil.example/../a.ts',
    );
    expect(nameOf({ sources: ['../../a.ts'], sourceRoot: '/' })).toBe('/../../a.ts');
    expect(nameOf({ sources: [null], sourceRoot: 'x' })).toBe('(a source without a name)');
    expect(nameOf({ sources: [{ toString: 1 }] })).toBe('(a source without a name)');
    expect(nameOf({ sources: ['x'.repeat(9_999)], sourceRoot: 'y'.repeat(9_999) })).toHaveLength(300);
  });
});

test('a map in sections answers with the section that a place is in', () => {
  const section = (line: number, column: number, file: string): object => ({
    offset: { line, column },
    map: tiny({ sources: [file] }),
  });
  const map = { version: 3, sections: [section(0, 0, 'a'), section(0, 10, 'b'), section(2, 0, 'c')] };
  const fileAt = (line: number, column: number): string | undefined =>
    lookUp(map, [line, column]).original?.file;
  expect([fileAt(1, 0), fileAt(1, 9), fileAt(1, 10), fileAt(3, 5)]).toEqual(['a', 'a', 'b', 'c']);
  expect(toCode(lookUp(map, [2, 0]))).toBe('place-not-mapped');
});

test('of a long line only what is around the place is shown', () => {
  const long = `${'a'.repeat(5_000)}HERE${'b'.repeat(5_000)}`;
  const { written } = examineSource({
    task: 'script',
    script: `1\n2\n${long}\n4\n5\n6\n7\n8`,
    base: 'https://cdn.example/x.js',
    place: { line: 3, column: 5_001 },
  });
  expect(written?.lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  const line = written?.lines.find(({ number }) => number === 3);
  expect(line?.text).toHaveLength(200);
  expect(line?.text.slice(line.mark, (line.mark ?? 0) + 4)).toBe('HERE');
  expect(line?.isCut).toBe(true);
});

test('without a column the first source of the line is taken', () => {
  const { original } = examineSource({
    task: 'map',
    map: { text: JSON.stringify(tiny({ mappings: 'A,CACA,CACA' })) },
    place: { line: 1 },
  });
  expect(original?.line).toBe(2);
});
