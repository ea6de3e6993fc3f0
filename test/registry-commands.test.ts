import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Commands that fetch what they name from a registry, up to the end of the command. */
const fetching =
  /\b(?:npx|pnpx|bunx|(?:npm|pnpm|yarn|bun|deno)(?: +-\S+)* +(?:i|install|add|exec|x|dlx|create|init))\b([^\n`;&|]*)/g;
const network =
  /\b(?:unpkg\.com|esm\.sh|esm\.run|jsdelivr\.net\/npm|skypack\.dev|npmjs\.com\/package)\/+@?casement\b/;
const ours = /^(?:npm:)?(?:@casement\/.+|casement(?:@.+)?)$/;

/** What a text tells its reader to fetch under a name of ours. Nothing of ours is on npm yet. */
const findFetches = (text: string): string[] =>
  text
    .split('\n')
    .filter(
      (line) =>
        network.test(line) ||
        [...line.matchAll(fetching)].some(([, words = '']) =>
          words.split(/[\s'",)]+/).some((word) => ours.test(word)),
        ),
    );

const isText = /\.(?:md|html|ts|tsx|mjs|js|jsx|json|css)$/;
const isLeftOut =
  /(?:^|\/)(?:node_modules|dist|generated|images|\.cache)\/|\.test\.ts$|-lock\.json$|traceability\.json$/;

const listTexts = (): string[] => {
  const below = ['docs', 'packages', 'examples', 'scripts', 'e2e'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  return [...readdirSync(root), ...below].filter((file) => isText.test(file) && !isLeftOut.test(file));
};

test.each([
  'npx casement --run roll_dice node server.mjs',
  'npx -y casement@latest',
  'Run `npx --no-install casement`.',
  'npm install @casement/server @casement/app zod',
  'npm i -D casement',
  "say('npm exec -- casement');",
  'pnpm add @casement/host',
  'bunx casement',
  'deno add npm:@casement/react',
  '<script type="module" src="https://esm.sh/@casement/host"></script>',
])('a text with "%s" would be found', (text) => {
  expect(findFetches(`Before.\n${text}\nAfter.`)).toEqual([text]);
});

test.each([
  'git clone <this repository> casement',
  'npm run pack:all -- ../packages',
  'cp ../packages/casement-packages.json package.json; npm install',
  'npm install @hono/node-server @modelcontextprotocol/client esbuild',
  'node_modules/.bin/casement --run roll_dice node server.mjs',
  'npm start -- npx -y @modelcontextprotocol/server-map',
  '`npm install`, then import `@casement/host`.',
  'cp -r ../casement/examples/chat-host/src chat',
])('"%s" fetches nothing under a name of ours', (text) => {
  expect(findFetches(text)).toEqual([]);
});

test('no document and no text that is printed or shown tells anybody to fetch a package of ours', () => {
  const texts = listTexts();
  expect(texts).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/guide/first-app.md',
      'packages/casement/README.md',
      'packages/casement/src/usage.ts',
      'examples/families-server/README.md',
    ]),
  );
  const found = texts.flatMap((file) =>
    findFetches(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});
