import type { FoundSource, SourceLine, SourceRefusal } from '@casement/checks/source-map';
import { toPrintable } from '@casement/protocol/basics';
import { useEffect, useState } from 'react';
import type { AppCode, CodePlace, SourceAnswer } from './find-source.js';
import { createSourceRunner } from './run-source-task.js';
import { createSourceStore } from './source-store.js';

const store = createSourceStore(createSourceRunner());

const toShown = (text: string): string => toPrintable(text, 400, { lines: 'keep' });

const toPlaceText = ({ file, line, column }: FoundSource): string =>
  [toPrintable(file, 300), line, column].filter((part) => part !== undefined).join(':');

const Line = ({ line: { number, text, isCut, mark }, isPlace }: { line: SourceLine; isPlace: boolean }) => (
  <span className="source-line" data-place={isPlace}>
    <span className="source-number">
      {isPlace ? '▸' : ' '}
      {number}
    </span>
    <span className="source-text">
      {isCut && '…'}
      {mark === undefined ? (
        toShown(text)
      ) : (
        <>
          {toShown(text.slice(0, mark))}
          <mark>{toShown(text.slice(mark))}</mark>
        </>
      )}
      {isCut && '…'}
      {'\n'}
    </span>
  </span>
);

const Lines = ({ found, from }: { found: FoundSource; from: string }) => (
  <>
    <p>
      <code className="source-place">{toPlaceText(found)}</code> <span className="quiet">{from}</span>
    </p>
    {found.lines.length > 0 && (
      <pre
        className="source-lines"
        tabIndex={0}
        role="group"
        aria-label={`Source around line ${found.line} of ${toPrintable(found.file, 100)}`}
      >
        {found.lines.map((line) => (
          <Line key={line.number} line={line} isPlace={line.number === found.line} />
        ))}
      </pre>
    )}
  </>
);

const Refusal = ({ refusal: { code, reason, nextStep } }: { refusal: SourceRefusal }) => (
  <p className="panel-note" data-code={code}>
    {reason} {nextStep}
  </p>
);

const Answer = ({ answer: { original, written, isGuess, refusal } }: { answer: SourceAnswer }) => (
  <>
    {original && <Lines found={original} from="by the source map" />}
    {original && written && (
      <p className="panel-note">
        In what was sent: <code>{toPlaceText(written)}</code>
      </p>
    )}
    {!original && written && <Lines found={written} from="as it was sent" />}
    {isGuess && (
      <p className="panel-note">
        The browser does not say which script of the document it was; this is the likeliest.
      </p>
    )}
    {refusal && <Refusal refusal={refusal} />}
  </>
);

/** A place of the app's code in the author's source, with the lines around; or why not, and what to do. */
export const SourceView = ({ code, place }: { code: AppCode; place: CodePlace }) => {
  const [found, setFound] = useState<{ readonly key: string; readonly answer: SourceAnswer }>();
  const key = JSON.stringify([code.session, place]);
  useEffect(() => {
    let isWanted = true;
    void store.find(code, place).then((answer) => {
      if (isWanted) setFound({ key, answer });
    });
    return () => {
      isWanted = false;
    };
    // The key is all of both that counts.
  }, [key]);
  return (
    <div className="source" role="group" aria-label="Source" aria-live="off">
      {found?.key === key ? (
        <Answer answer={found.answer} />
      ) : (
        <p className="quiet">Looking for the source…</p>
      )}
    </div>
  );
};
