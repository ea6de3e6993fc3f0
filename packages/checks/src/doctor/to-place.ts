import { toPrintable } from '@casement/protocol/basics';
import type { AppFacts } from './doctor-facts.js';
import type { DoctorFinding, SeenPlace } from './report.js';

/** What of a place leads to its source; nothing where the page does not say a line. */
export const toSourcePlace = ({
  sourceFile,
  line,
  column,
}: SeenPlace): Required<Pick<DoctorFinding, 'place'>> | undefined =>
  line === undefined || line === 0
    ? undefined
    : {
        place: {
          ...(sourceFile === undefined ? {} : { sourceFile }),
          line,
          ...(column === undefined ? {} : { column }),
        },
      };

/** Where in the code something was, as a person reads it; undefined where the page does not say. */
export const toPlace = (
  { sourceFile = '', line, column }: SeenPlace,
  { address }: Pick<AppFacts, 'address'>,
): string | undefined => {
  if (line === undefined || line === 0) return sourceFile === '' ? undefined : toPrintable(sourceFile, 200);
  const { appOrigin = '' } = address ?? {};
  // Chromium has no name for a script of a document that is written, and counts from the script's own beginning.
  if (sourceFile === '' || sourceFile === '<anonymous>')
    return `a script in the app’s HTML:${line}${column === undefined ? '' : `:${column}`}`;
  // The app's own origin serves one page, whose address says nothing more.
  const isOwn = sourceFile === 'about:srcdoc' || (appOrigin !== '' && sourceFile.startsWith(`${appOrigin}/`));
  const file = isOwn ? 'the app’s HTML' : toPrintable(sourceFile, 200);
  return `${file}:${line}${column === undefined ? '' : `:${column}`}`;
};
