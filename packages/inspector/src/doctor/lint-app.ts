import type { DoctorFinding } from '@casement/checks/doctor';
import { lintDocument, lintResult, lintTool } from '@casement/checks/rules';
import type { ExaminedApp } from './examined-app.js';

/** Remembers what the last call with the same values gave: an app is judged many times a second, and these seldom change. */
const createLast = <Args extends readonly unknown[], T>(
  make: (...args: Args) => T,
): ((...args: Args) => T) => {
  let last: { readonly args: Args; readonly value: T } | undefined;
  return (...args) => {
    if (!last || args.some((arg, index) => arg !== last?.args[index])) last = { args, value: make(...args) };
    return last.value;
  };
};

const noTools: readonly unknown[] = [];

/** Creates the reader of rules for tool, document and result of an app. */
export const createAppLint = (): ((app: ExaminedApp) => readonly DoctorFinding[]) => {
  const ofTool = createLast((tool: unknown, tools: readonly unknown[]) =>
    tool === undefined ? [] : lintTool(tool, { tools }),
  );
  const ofResult = createLast((tool: unknown, result: unknown) =>
    tool === undefined || result === undefined ? [] : lintResult({ tool, result }),
  );
  const ofDocument = createLast((html: string | undefined, bytes: number | undefined, item: unknown) =>
    html === undefined ? [] : lintDocument({ html, item, ...(bytes === undefined ? {} : { bytes }) }),
  );
  return ({ tool, tools = noTools, result, html, item, snapshot }) => [
    ...ofTool(tool, tools),
    ...ofDocument(html, snapshot.resource?.bytes, item),
    ...ofResult(tool, result),
  ];
};
