import { useMemo, useState } from 'react';
import { BoundedText } from './bounded-text.js';
import { useWords } from './use-words.js';

const shownLength = 4_000;

/** The arguments of a call that is decided on: above a long one stands that it is cut, and a way to all of it. */
export const ApprovalInput = ({
  input,
  onSeen,
}: {
  readonly input: Readonly<Record<string, unknown>>;
  /** All of a text that was cut is shown now. */
  onSeen(): void;
}) => {
  const words = useWords();
  const text = useMemo(() => toInputText(input), [input]);
  const [isWhole, setWhole] = useState(false);
  if (Object.keys(input).length === 0) return <p className="casement-note">{words.noInput}</p>;
  const hidden = isWhole ? 0 : text.length - shownLength;
  return (
    <>
      <p className="casement-note">{words.approvalInput}</p>
      {hidden > 0 && (
        <p className="casement-warning">
          {words.more(hidden)}{' '}
          <button
            type="button"
            className="casement-button"
            onClick={() => {
              setWhole(true);
              onSeen();
            }}
          >
            {words.showAll}
          </button>
        </p>
      )}
      <BoundedText
        text={hidden > 0 ? `${text.slice(0, shownLength)}…` : text}
        name={words.approvalInput}
        maxLength={Infinity}
      />
    </>
  );
};

/** Whether not all of the arguments are shown at first. */
export const isInputCut = (input: Readonly<Record<string, unknown>>): boolean =>
  toInputText(input).length > shownLength;

/** The model wrote them as JSON, so they are nothing else. */
const toInputText = (input: Readonly<Record<string, unknown>>): string => JSON.stringify(input, undefined, 2);
