import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * The boundary table: which workspace packages and which environment each folder may know.
 * `imports` lists allowed package prefixes (relative imports are always allowed); `globals` names the environment.
 */
const neutral = Object.keys(globals['shared-node-browser']);
const browser = Object.keys(globals.browser);
const node = [...Object.keys(globals.node), ...neutral];

const boundaries = [
  { folder: 'packages/protocol/src', imports: ['valibot'], globals: [...neutral, 'crypto'] },
  {
    folder: 'packages/sandbox/src',
    imports: ['@casement/protocol'],
    globals: [...neutral, 'crypto', 'Request', 'Response', 'Headers'],
  },
  {
    // The shim is the app package's own, bundled into the page.
    folder: 'packages/sandbox/src/pages',
    imports: ['@casement/protocol', '@casement/app/shim'],
    globals: browser,
  },
  {
    folder: 'packages/host/src/core',
    imports: ['@casement/protocol', '@casement/sandbox'],
    globals: [...neutral, 'crypto'],
  },
  {
    folder: 'packages/host/src/families',
    imports: ['@casement/protocol', '@casement/sandbox'],
    globals: [...neutral, 'crypto'],
  },
  { folder: 'packages/host/src/dom', imports: ['@casement/protocol', '@casement/sandbox'], globals: browser },
  { folder: 'packages/host/src/element', imports: ['@casement/protocol'], globals: browser },
  { folder: 'packages/host/src/dialogs', imports: ['@casement/protocol'], globals: browser },
  { folder: 'packages/host/src/ports', imports: ['@casement/protocol'], globals: [...neutral, 'crypto'] },
  {
    folder: 'packages/react/src',
    imports: ['@casement/host', '@casement/protocol', 'react', 'react-dom'],
    globals: browser,
  },
  {
    folder: 'packages/react/src/chat/core',
    imports: ['@casement/protocol', '@casement/host'],
    typeOnly: ['@casement/host'],
    globals: [...neutral, 'crypto'],
  },
  { folder: 'packages/app/src', imports: ['@casement/protocol'], globals: browser },
  { folder: 'packages/app/src/react', imports: ['@casement/protocol', 'react'], globals: browser },
  {
    folder: 'packages/server/src',
    imports: ['@casement/protocol', '@modelcontextprotocol/server', 'node:'],
    globals: node,
  },
  {
    folder: 'packages/gateway/src',
    imports: [
      '@casement/protocol',
      '@casement/sandbox',
      '@modelcontextprotocol/client',
      'ai',
      '@ai-sdk',
      'hono',
      '@hono/node-server',
      'valibot',
      'node:',
    ],
    globals: node,
  },
  {
    folder: 'packages/inspector/src',
    imports: [
      '@casement/host',
      '@casement/protocol',
      '@casement/react',
      '@casement/sandbox',
      '@casement/gateway',
      'hono/client',
      'react',
      'react-dom',
      '@tanstack/react-virtual',
    ],
    typeOnly: ['@casement/gateway'],
    globals: browser,
  },
  {
    folder: 'packages/casement/src',
    imports: ['@casement/gateway', '@casement/protocol', 'open', 'node:'],
    globals: node,
  },
  {
    folder: 'examples/weather-server/src',
    imports: ['@casement/server', '@modelcontextprotocol/server', 'zod', 'node:'],
    globals: node,
  },
  { folder: 'examples/weather-server/src/app', imports: ['@casement/app'], globals: browser },
];

const everyGlobal = [...new Set([...browser, ...node])];

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const toBoundaryConfig = ({ folder, imports, typeOnly = [], globals: allowed }) => {
  const allowedImports = imports.map((name) =>
    name.endsWith(':') ? escape(name) : `${escape(name)}(?:/|$)`,
  );
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}', '**/*.test-support.ts', ...nestedFolders(folder)],
    rules: {
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?!${['\\.{1,2}/', ...allowedImports].join('|')})`,
              message: `${folder} may not import this: see the boundary table in eslint.config.js.`,
            },
            ...typeOnly.map((name) => ({
              regex: `^${escape(name)}(?:/|$)`,
              allowTypeImports: true,
              message: 'Only types may be imported from here.',
            })),
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...everyGlobal
          .filter((name) => !allowed.includes(name))
          .map((name) => ({ name, message: `${folder} does not know this environment.` })),
      ],
    },
  };
};

/** A deeper folder's own row replaces, not narrows, the row above it. */
function nestedFolders(folder) {
  return boundaries.filter((row) => row.folder.startsWith(`${folder}/`)).map((row) => `${row.folder}/**`);
}

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '.cache/**'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strict],
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  { files: ['**/*.mjs', '**/*.js'], languageOptions: { globals: globals.node } },
  { files: ['**/*.html'], ignores: ['**/*'] },
  {
    // One message must not stop a page or the gateway; test/regular-expressions.test.ts attacks what passes here.
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/*.test-support.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  ...boundaries.map(toBoundaryConfig),
);
