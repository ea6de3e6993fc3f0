import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A piece of code from a page of the documentation. */
interface CodeBlock {
  /** The file it becomes, with its ending. */
  readonly file: string;
  readonly code: string;
}

/** Compiles blocks against the built packages and says what the compiler has against them. */
export const compileBlocks = (blocks: readonly CodeBlock[], types: readonly string[] = []): string[] => {
  const cache = join(import.meta.dirname, '../.cache');
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that the packages are found; of its own, so that tests may run side by side.
  const folder = mkdtempSync(join(cache, 'blocks-'));
  try {
    const files = blocks.map(({ file, code }) => {
      const path = join(folder, file);
      writeFileSync(path, code);
      return path;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      types: [...types],
      skipLibCheck: true,
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ file, messageText }) =>
        [file?.fileName.slice(folder.length + 1), ts.flattenDiagnosticMessageText(messageText, '\n')].join(
          ': ',
        ),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
