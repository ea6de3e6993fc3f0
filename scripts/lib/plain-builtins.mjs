import { builtinModules } from 'node:module';

const isBuiltin = (name) => name.startsWith('node:') || builtinModules.includes(name);

const toPattern = (clause) => clause.replaceAll(/([\w$]+)\s+as\s+([\w$]+)/g, '$1:$2');

/** Functions that a start does not call: their module is asked for by each call of one of them. */
const lateModule = 'node:fs/promises';

const toLateCalls = (clause, get) =>
  clause
    .slice(1, -1)
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/))
    .map(([name, local = name]) => {
      if (name === 'constants') throw new Error(`${lateModule} is asked for what is no function.`);
      return `const ${local}=(...given)=>${get}.${name}(...given);`;
    })
    .join('');

/**
 * Lets a bundled file ask for Node's own modules by a call. An import reads every export of a module, also those that Node
 * makes when they are asked for: that of `node:http` would load all of `fetch`, in Node 22 a third of a start. The calls
 * stand in front, as imports are carried out before all else; and some files import a `process` of their own.
 */
export const toPlainBuiltins = (text) => {
  let calls = '';
  const rest = text.replace(
    /(?<=^|[;}\n])import\s*(?:(\{[^{}]*\})|(?:\*\s*as\s+)?([\w$]+))\s*from\s*"([\w:/]+)";/g,
    (whole, names, name, specifier) => {
      if (!isBuiltin(specifier)) return whole;
      const get = `globalThis.process.getBuiltinModule("${specifier}")`;
      if (specifier === lateModule && names !== undefined) calls += toLateCalls(names, get);
      else calls += `const ${names === undefined ? name : toPattern(names)}=${get};`;
      return '';
    },
  );
  return rest.replace(/^(?:#!.*\n)?/, (start) => start + calls);
};
