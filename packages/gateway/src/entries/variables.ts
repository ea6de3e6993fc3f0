import { homedir } from 'node:os';
import { basename, sep } from 'node:path';
import type { VariableRead } from '../facts/server-entry.js';

/*
 * The forms of the programs whose files are read. VS Code and Cursor: `${env:NAME}`, and `${input:id}` in VS Code.
 * Claude: `${NAME}` and `${NAME:-otherwise}`. They stay as they are until the server starts. What else VS Code and Cursor
 * know (`${workspaceFolder}`, `${userHome}`, `${/}` …) says where a file lies and is filled in when the file is read.
 */
const variable = /\$\{(?:(env|input):([^{}$]{1,200})|([A-Za-z_]\w{0,199})(?::-([^{}$]{0,2000}))?)\}/g;

/** Forms that editors know and nobody here can fill in. */
const foreign = /\$\{((?:command|config|file|line|selected|extension|default)[A-Za-z]*(?::[^{}$]{0,200})?)\}/;

interface Variable extends VariableRead {
  /** What is used where it is not set. */
  otherwise?: string;
}

const toVariable = (kind?: string, named?: string, bare?: string, otherwise?: string): Variable => ({
  from: kind === 'input' ? 'input' : 'env',
  name: named ?? bare ?? '',
  ...(otherwise !== undefined && { otherwise }),
});

/** The variables that a text names, each once. */
export const readVariables = (text: string): VariableRead[] => {
  const found = new Map<string, VariableRead>();
  for (const [, kind, named, bare] of text.matchAll(variable)) {
    const { from, name } = toVariable(kind, named, bare);
    found.set(`${from}:${name}`, { from, name });
  }
  return [...found.values()];
};

/** Puts values in the place of the variables; what `lookUp` throws is thrown. Values are not looked into again. */
export const expandVariables = (text: string, lookUp: (wanted: Variable) => string): string =>
  text.replace(variable, (_whole, kind?: string, named?: string, bare?: string, otherwise?: string) =>
    lookUp(toVariable(kind, named, bare, otherwise)),
  );

/** A text of nothing but variables, after the name of a scheme, tells no secret: it only names where one is read. */
export const isOnlyVariables = (text: string): boolean => {
  const rest = expandVariables(text, ({ otherwise = '' }) => otherwise);
  return rest !== text && /^(?:(?:bearer|basic|token|apikey|api-key)\s*)?$/i.test(rest.trim());
};

/** A form that cannot be filled in here, as it stands in the text. */
export const findForeignVariable = (text: string): string | undefined => foreign.exec(text)?.[0];

/** Fills in what says where a file lies; `folder` is the one of the project. */
export const fillPlaces = (text: string, folder: string): string => {
  const places = new Map([
    ['userHome', homedir()],
    ['workspaceFolder', folder],
    ['workspaceRoot', folder],
    ['cwd', folder],
    ['workspaceFolderBasename', basename(folder)],
    ['pathSeparator', sep],
    ['/', sep],
  ]);
  return text.replace(/\$\{([A-Za-z]{1,40}|\/)\}/g, (whole, name: string) => places.get(name) ?? whole);
};
