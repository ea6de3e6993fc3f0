import { expectLinearText } from './inputs.js';
import { measureGrowth, countOperations } from '../count-operations.js';
import { test } from 'vitest';
import { createDrawing } from '../../packages/react/src/chat/content/markdown-view.js';
import { createTextReader } from '../../packages/react/src/chat/content/text-blocks.js';

const run = (text: string) => createDrawing()(createTextReader()(text), false);
const rep = (p: string) => (size: number) => p.repeat(Math.ceil(size / p.length));
const runsOf = (mark: string, sep: string) => (size: number) => { let out = ''; for (let n = 1; out.length < size; n++) out += mark.repeat(n) + sep; return out; };
const shapes: Record<string, (size: number) => string> = {
  wide: (n) => `${'|a'.repeat(60)}\n${'|-'.repeat(60)}\n${'|\n'.repeat(n / 2)}`,
  square: (n) => { const c = Math.round(Math.sqrt(n)); return `${'|a'.repeat(c)}\n${'|-'.repeat(c)}\n${'|\n'.repeat(c)}`; },
  delims: rep('-|-\n'), tables: rep('a|b\n-|-\n1|2\n# h\n'), tablesBlank: rep('a|b\n-|-\n1|2|3\n\n'), surplus: (n) => `a|b\n-|-\n${'1|'.repeat(n / 2)}`,
  surplusRows: (n) => `a|b\n-|-\n${'1|2|3\n'.repeat(n / 6)}`,
  cells: rep('|'), listIndent: (n) => { let o = ''; for (let d = 0; o.length < n; d++) o += `${' '.repeat(2 * d)}- a\n`; return o; },
  listFlat: rep('- a\n'), listLoose: rep('- a\n\n'), listInLine: rep('- '), numbers: rep('1. '), deep9: rep('- a\n  - b\n    - c\n      - d\n        - e\n'),
  quotes: rep('> '), quoteLines: rep('> a\n'), quoteDeepLines: rep('> > > > > > a\n'), lazy: (n) => `> a\n${'b\n'.repeat(n / 2)}`, quoteList: rep('> - a\n'),
  stars: rep('*'), em: rep('*a '), em2: rep('*a* '), emNest: (n) => `${'*a **b '.repeat(n / 14)}${'** * '.repeat(n/14)}`, emMix: rep('*a_b~~c'), starsUnder: rep('*_'), emClose: rep('a* '), strikes: rep('~~a '), str3: rep('***a** b'), 
  brackets: rep('['), brackets2: (n) => `${'['.repeat(n / 2)}${']'.repeat(n / 2)}`, bracketsA: rep('[a '), links: rep('[a](https://b.test/) '), nestedLinks: (n) => `${'['.repeat(n / 20)}a${'](https://b.test/)'.repeat(n / 20)}`, images: rep('!['), nestedImages: (n) => `${'!['.repeat(n / 20)}a${'](https://b.test/)'.repeat(n / 20)}`, img20: rep('![![![![![![![![![![![![a](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)](https://b.test/)'),
  dest: rep('[a]('), destAngle: rep('[a](<'), destParen: rep('[a](('), title: rep('[a](https://b.test/ "'), title2: rep("[a](https://b.test/ '"), titleOpen: (n) => `[a](https://b.test/ "${'x'.repeat(n)}`, titlesAlt: rep(`[a](https://b.test/ "[a](https://b.test/ '`), close: rep(']('), longLink: (n) => `[a](https://b.test/${'x'.repeat(n)})`,
  auto: rep('<https://b.test/> '), autoOpen: rep('<a'), angle: rep('<'), autoLong: (n) => `<https://b.test/${'x'.repeat(n)}>`, email: (n) => `<${'a'.repeat(n)}@b>`, email2: (n) => `<a@${'a.'.repeat(n / 2)}>`,
  ticks: rep('`'), tickRuns: runsOf('`', 'a'), tickPairs: rep('`a` '), tickSpaces: (n) => `\`${' '.repeat(n)}a \``, tickNl: rep('`\n'),
  fences: rep('```\na\n'), fencesInList: rep('- ```\n  a\n  ```\n'), tildes: rep('~~~ x\n'), fenceInQuote: rep('> ```\n> a\n'),
  code: rep('    a\n'), head: rep('# a\n'), set: rep('a\n===\n'), setNo: rep('a\n== =\n'), hr: rep('---\n'), hr2: rep('- - - -\n'), ent: rep('&amp;'), ent2: rep('&a'), back: rep('\\'), soft: rep('a\n'), hard: rep('a  \n'), spaces: rep(' '), spaces2: rep('a '), words: rep('word '), para: rep('word word\n\n'), refs: rep('[a]: https://b.test/ "x"\n'), refUse: rep('[a][b] '), html: rep('<b x="'), comment: rep('<!--'), tabs: rep('\t- a\n'), refTitle: rep('[a]: b (\n'),
  listPara: rep('- a\nb\n'), listNum: (n) => { let o=''; for (let i=1;o.length<n;i++) o+=`${i}. a\n`; return o; }, listMix: rep('- a\n+ a\n* a\n'), fenceOpen: (n) => `- a\n${'  ```\n  x\n'.repeat(n/10)}`, indentedTab: (n) => `- a\n${'\tx\n'.repeat(n/3)}`, emptyItems: rep('-\n'), emptyItems2: rep('-\n\n'),
};
test('probe', () => {
  for (const [name, input] of Object.entries(shapes)) {
    const g = measureGrowth({ input, run, size: 2400 });
    const ops = countOperations(() => run(input(2400)));
    console.log(name.padEnd(16), g.toFixed(2), (ops / 2400).toFixed(0), g > 2.3 ? '<<<<<' : '');
  }
}, 600000);
