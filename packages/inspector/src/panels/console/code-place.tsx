import { toErrorPlace } from '@casement/checks/doctor';
import { toPrintable } from '@casement/protocol/basics';
import { ShowSource } from '../../source/show-source.js';
import type { CodePlace } from './console-rows.js';

/** A place in the app's code, with the way to its source. */
export const CodePlaceView = ({ place }: { place: CodePlace }) => {
  const text = toErrorPlace(place);
  if (text === '') return null;
  return (
    <>
      <code>{toPrintable(text, 300)}</code>
      <ShowSource place={place} />
    </>
  );
};
