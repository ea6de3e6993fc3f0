// What works in which browser: the README's table is made of this, and each row names the test that tries it.

/** One row: its words for the three browsers, and the test behind them. */
export interface BrowserRow {
  readonly what: string;
  readonly chromium: string;
  readonly firefox: string;
  readonly webkit: string;
  /** A file of this folder and the title of its test; `smoke.test.ts` is part of CI. */
  readonly test: readonly [file: string, title: string];
}

/** All rows, in the order of the table. */
export const browserTable: readonly BrowserRow[] = [
  {
    what: 'The example is ready, an origin per app',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['smoke.test.ts', 'the example is ready, in three origins, and shows its weather'],
  },
  {
    what: 'Apps of three published servers are ready',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['smoke.test.ts', 'an app of the published server %s is ready'],
  },
  {
    what: 'Works where `*.localhost` does not resolve',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['fallback.test.ts', '%s: where names below localhost do not resolve, the example still works'],
  },
  {
    what: 'Display modes',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['features.test.ts', 'the app goes to the display modes it or the user asks for'],
  },
  {
    what: 'Questions and dialogs',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['features.test.ts', 'a question is as high as its words, and its answer reaches the app'],
  },
  {
    what: 'Chat',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['features.test.ts', 'an app comes up in the chat'],
  },
  {
    what: 'Storage of the app, apart from the page’s',
    chromium: 'yes',
    firefox: 'yes',
    webkit: 'yes',
    test: ['features.test.ts', 'the app stores for itself, and its cookies are not the page’s'],
  },
  {
    what: 'A busy app',
    chromium: 'page goes on',
    firefox: 'page goes on',
    webkit: 'page stands still; said afterwards',
    test: ['busy.test.ts', 'a busy app does not hold the page, or it is said for how long it did'],
  },
  {
    what: 'A hostile app’s HTTP requests and navigation',
    chromium: 'none leaves',
    firefox: 'none leaves',
    webkit: 'none leaves',
    test: ['hostile.test.ts', 'as an app it reaches nobody, and cannot leave'],
  },
  {
    what: 'What a hostile app sends by WebRTC (STUN)',
    chromium: 'does not leave',
    firefox: '**leaves**',
    webkit: 'has no WebRTC',
    test: ['side-doors.test.ts', 'what leaves an app by WebRTC, names and connections'],
  },
  {
    what: 'Its DNS prefetch and preconnect',
    chromium: 'do not leave',
    firefox: '**leave**',
    webkit: '**leave**',
    test: ['side-doors.test.ts', 'what leaves an app by WebRTC, names and connections'],
  },
];

/** The table as the README has it. */
export const toMarkdown = (rows: readonly BrowserRow[]): string =>
  [
    '| | Chromium | Firefox ESR | WebKitGTK | tried by |',
    '|---|---|---|---|---|',
    ...rows.map(({ what, chromium, firefox, webkit, test: [file] }) => {
      const by = file === 'smoke.test.ts' ? 'CI' : '`npm run test:browsers`';
      return `| ${what} | ${chromium} | ${firefox} | ${webkit} | ${by} |`;
    }),
  ].join('\n');
