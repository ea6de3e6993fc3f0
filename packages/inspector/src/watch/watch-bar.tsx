import { toPrintable } from '@casement/protocol/basics';
import type { Watch } from './watch.js';
import { useValue } from '../use-inspector.js';
import './watch.css';

/** What changed last, and whether the last call is made again after a change. */
export const WatchBar = ({ watch }: { watch: Watch }) => {
  const { note, repeat } = useValue(watch);
  return (
    <div className="watch-bar" hidden={!note && !repeat}>
      <p role="status" data-problem={note?.isProblem || undefined}>
        {note && toPrintable(note.text, 700)}
        {note?.offersReload && (
          <>
            {' '}
            <button type="button" className="link" onClick={watch.reload}>
              Reload
            </button>
          </>
        )}
      </p>
      {repeat?.saysItReads && (
        <p className="quiet">
          A change calls {toPrintable(repeat.tool, 60)} again: it says that it only reads.
        </p>
      )}
      {repeat && !repeat.saysItReads && (
        <label>
          <input
            type="checkbox"
            checked={repeat.isChosen}
            onChange={(event) => watch.setRepeat(event.target.checked)}
          />{' '}
          Repeat {toPrintable(repeat.tool, 60)} on change
        </label>
      )}
    </div>
  );
};
