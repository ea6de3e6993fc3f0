import { toErrorPlace } from '@casement/checks/doctor';
import type { CodePlace } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { ShowSource } from '../../source/show-source.js';

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
