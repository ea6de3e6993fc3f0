import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** One member of a type. */
interface TypeMember {
  readonly name: string;
  readonly isRequired: boolean;
}

/** What the TypeScript checker knows of one exported type. */
interface ReadType {
  readonly members: readonly TypeMember[];
  /** The texts of a union of string literals; empty for every other type. */
  readonly literals: readonly string[];
}

/** Reads the exported types of a piece of code against the built packages; throws what the compiler has against it. */
export const readTypes = (code: string): ReadonlyMap<string, ReadType> => {
  const cache = join(import.meta.dirname, '../.cache');
  mkdirSync(cache, { recursive: true });
  // Inside the repository, so that the packages are found.
  const folder = mkdtempSync(join(cache, 'types-'));
  try {
    const path = join(folder, 'types.ts');
    writeFileSync(path, code);
    const program = ts.createProgram([path], {
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      types: [],
      skipLibCheck: true,
    });
    const problems = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return readExports(program, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const readExports = (program: ts.Program, path: string): ReadonlyMap<string, ReadType> => {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error('The code exports nothing.');
  return new Map(
    checker.getExportsOfModule(module).map((symbol) => {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const parts = type.isUnion() ? type.types : [type];
      return [
        symbol.name,
        {
          members: checker.getPropertiesOfType(type).map((member) => ({
            name: member.name,
            isRequired: (member.flags & ts.SymbolFlags.Optional) === 0,
          })),
          literals: parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : [])),
        },
      ];
    }),
  );
};
