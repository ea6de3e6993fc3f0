import { toPrintable } from '@casement/protocol/basics';
import { toReadableJson } from '@casement/protocol/consents';
import { useMemo, useState } from 'react';
import { toPrintableJson } from './bounded-json.js';
import { toByteSize } from './quantity.js';
import { CopyButton } from './copy-button.js';

const firstShown = 12_000;
const mostShown = 400_000;

const toJson = (value: unknown): string => {
  try {
    return toReadableJson(value);
  } catch {
    return toPrintableJson(value);
  }
};

/** A value as indented JSON: text only, cut when it is long, whole on the clipboard. */
export const JsonText = ({ value, name }: { value: unknown; name: string }) => {
  const [limit, setLimit] = useState(firstShown);
  const json = useMemo(() => toJson(value), [value]);
  const shown = useMemo(() => toPrintable(json.slice(0, limit), Infinity, { lines: 'keep' }), [json, limit]);
  const rest = json.length - limit;
  return (
    <div className="json-text">
      <div className="json-head">
        <span>{name}</span>
        <CopyButton text={() => json} name={name} />
      </div>
      <pre tabIndex={0} role="group" aria-label={name}>
        {shown}
        {rest > 0 && '…'}
      </pre>
      {rest > 0 && (
        <p className="json-rest">
          {toByteSize(rest)} more.{' '}
          {limit < mostShown && (
            <button type="button" className="small-button" onClick={() => setLimit(mostShown)}>
              Show {json.length > mostShown ? `the first ${toByteSize(mostShown)}` : 'all'}
            </button>
          )}
        </p>
      )}
    </div>
  );
};
