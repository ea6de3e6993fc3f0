import { toPrintable } from '@casement/protocol/basics';
import type { AppFacts, SeenPlace } from './doctor-facts.js';

/** Where in the code something was, as a person reads it; undefined where the page does not say. */
export const toPlace = (
  { sourceFile = '', line, column }: SeenPlace,
  { address }: Pick<AppFacts, 'address'>,
): string | undefined => {
  if (line === undefined || line === 0) return sourceFile === '' ? undefined : toPrintable(sourceFile, 200);
  const { appOrigin = '' } = address ?? {};
  // The app's own origin serves one page, whose address says nothing more.
  const isOwn =
    sourceFile === '' ||
    sourceFile === 'about:srcdoc' ||
    (appOrigin !== '' && sourceFile.startsWith(`${appOrigin}/`));
  const file = isOwn ? 'the app’s HTML' : toPrintable(sourceFile, 200);
  return `${file}:${line}${column === undefined ? '' : `:${column}`}`;
};
