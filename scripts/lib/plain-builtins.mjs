import { builtinModules } from 'node:module';

const isBuiltin = (name) => name.startsWith('node:') || builtinModules.includes(name);

const toPattern = (clause) => clause.replaceAll(/([\w$]+)\s+as\s+([\w$]+)/g, '$1:$2');

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
      const taken = names === undefined ? name : toPattern(names);
      calls += `const ${taken}=globalThis.process.getBuiltinModule("${specifier}");`;
      return '';
    },
  );
  return rest.replace(/^(?:#!.*\n)?/, (start) => start + calls);
};
