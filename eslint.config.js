import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { boundaries, everyGlobal } from './boundaries.js';
import { roomRule } from './scripts/lib/room-rule.mjs';

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const toBoundaryConfig = ({ folder, imports, typeOnly = [], globals: allowed }) => {
  const allowedImports = imports.map((name) =>
    name.endsWith(':') ? escape(name) : `${escape(name)}(?:/|$)`,
  );
  return {
    files: [`${folder}/**/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}', '**/*.test-support.ts', ...nestedFolders(folder)],
    plugins: { rooms: { rules: { 'stay-in-room': roomRule } } },
    rules: {
      'rooms/stay-in-room': 'error',
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^(?!${['\\.{1,2}/', ...allowedImports].join('|')})`,
              message: `${folder} may not import this: see boundaries.js.`,
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
