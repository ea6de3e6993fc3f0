/** What the bundler calls its own code. */
export const runtime = '\0rolldown/runtime.js';

const isRuntime = ({ moduleIds }) => moduleIds?.length === 1 && moduleIds[0] === runtime;

/** The names that an import or export binds, as the members of an object. */
const toMembers = (clause, turn = (pair) => pair) =>
  clause
    .split(',')
    .map((part) => turn(part.trim().split(/\s+as\s+/)).join(':'))
    .join(',');

/**
 * Puts the few lines that a bundler keeps in a file of their own into each file that needs them: a request for them would
 * be one of the first of a page.
 */
export const inlineRuntime = {
  name: 'inline-runtime',
  generateBundle(_options, output) {
    const shared = Object.values(output).find(isRuntime);
    if (shared === undefined) return;
    const found = /^([^]*);\s*export\s*\{([^{}]*)\};?\s*$/.exec(shared.code);
    if (found === null) throw new Error('the file of the bundler is written in another way now.');
    const [, body, exported] = found;
    const members = toMembers(exported, (pair) => pair.toReversed());
    const address = `./${shared.fileName.split('/').at(-1)}`;
    for (const file of Object.values(output)) {
      if (file.type !== 'chunk' || !file.imports.includes(shared.fileName)) continue;
      const code = file.code.replace(/\bimport\s*\{([^{}]*)\}\s*from\s*"([^"]+)";/g, (whole, names, from) =>
        from === address ? `const{${toMembers(names)}}=(()=>{${body};return{${members}}})();` : whole,
      );
      if (code.includes(address))
        throw new Error(`${file.fileName} needs the file of the bundler in another way.`);
      file.code = code;
    }
    delete output[shared.fileName];
  },
};
