import { toErrorPlace } from '@casement/checks/doctor';
import { toPrintable } from '@casement/protocol/basics';
import { use } from 'react';
import { AppCodeContext } from '../../source/app-code.js';
import { ShowSource } from '../../source/show-source.js';
import type { CodePlace } from './console-rows.js';

/**
 * Browsers have many names for a document that was written into its frame; to its author it is one file. Without a name
 * lines count from the beginning of the script, not of that file.
 */
const toFile = (file: string, appOrigin: string | undefined): string => {
  if (file === '' || file === '<anonymous>') return 'a script in the app’s HTML';
  const isDocument =
    file.startsWith('about:') || (appOrigin !== undefined && file.startsWith(`${appOrigin}/`));
  return isDocument ? 'the app’s HTML' : file;
};

/** A place in the app's code, with the way to its source. */
export const CodePlaceView = ({ place }: { place: CodePlace }) => {
  const code = use(AppCodeContext);
  const { sourceFile = '', line } = place;
  if (sourceFile === '' && line === undefined) return null;
  const shown = { ...place, sourceFile: toFile(sourceFile, code?.appOrigin) };
  return (
    <div className="console-place">
      <code>{toPrintable(toErrorPlace(shown), 300)}</code>
      <ShowSource place={place} />
    </div>
  );
};
