import { lazy, use } from 'react';
import { Disclosure } from '../parts/disclosure.js';
import { LatePart } from '../parts/late-part.js';
import { AppCodeContext } from './app-code.js';
import type { CodePlace } from './find-source.js';

const SourceView = lazy(async () => ({ default: (await import('./source-view.js')).SourceView }));

/**
 * The author's source at a place of the app's code: at once, or behind the words "Show source" where there may be many.
 * Shows nothing where the app's code cannot be read.
 */
export const ShowSource = ({ place, atOnce = false }: { place: CodePlace; atOnce?: boolean }) => {
  const code = use(AppCodeContext);
  const isPlace = (place.line !== undefined && place.line > 0) || place.stack !== undefined;
  if (!code || !isPlace) return null;
  const view = (
    <LatePart name="The source">
      <SourceView code={code} place={place} />
    </LatePart>
  );
  return atOnce ? view : <Disclosure title="Show source">{view}</Disclosure>;
};
