import { toErrorPlace } from '@casement/checks/doctor';
import { toPrintable } from '@casement/protocol/basics';
import { use } from 'react';
import { AppCodeContext } from '../../source/app-code.js';
import { ShowSource } from '../../source/show-source.js';
import type { CodePlace } from './console-rows.js';

/** Browsers have many names for a document that was written into its frame; to its author it is one file. */
const isDocument = (file: string, appOrigin: string | undefined): boolean =>
  file === '' || file === '<anonymous>' || file.startsWith('about:') || file.startsWith(`${appOrigin}/`);

/** A place in the app's code, with the way to its source. */
export const CodePlaceView = ({ place }: { place: CodePlace }) => {
  const code = use(AppCodeContext);
  const { sourceFile = '', line } = place;
  if (sourceFile === '' && line === undefined) return null;
  const shown = isDocument(sourceFile, code?.appOrigin) ? { ...place, sourceFile: 'the app’s HTML' } : place;
  return (
    <div className="console-place">
      <code>{toPrintable(toErrorPlace(shown), 300)}</code>
      <ShowSource place={place} />
    </div>
  );
};
