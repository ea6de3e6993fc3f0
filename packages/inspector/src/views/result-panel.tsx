import { useMemo, useState } from 'react';
import { toPrintableJson } from '../bounded-json.js';
import { toByteSize } from '../quantity.js';
import { toResultText } from '../result-text.js';
import { isOver } from '../stage-element.js';
import { useInspector, useValue } from './use-inspector.js';

/** What the tool answered; it stands in for the app whenever no app is there to show it. */
export const ResultPanel = () => {
  const { call, snapshot } = useValue(useInspector().shown);
  const [opened, setOpened] = useState<boolean>();
  const result = call.status === 'done' ? call.result : undefined;
  const isOpen = opened ?? isOver(snapshot);
  const shown = useMemo(() => (result && isOpen ? toResultText(result) : undefined), [result, isOpen]);
  if (call.status !== 'done' || !result) return null;
  const { structuredContent } = result;
  const size = call.bytes === undefined ? '' : toByteSize(call.bytes);
  return (
    <section className="tool-result" aria-label="Result">
      <button type="button" className="fold-button" aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
        {result.isError ? 'Result: the tool says it failed' : 'Result'} <span className="quiet">{size}</span>
      </button>
      {shown && (
        <div className="result-body">
          {shown.cut && (
            <p className="warn-text">Too long to show: this is the beginning of {size || 'it'}.</p>
          )}
          <pre data-tool-text tabIndex={0} aria-label="Text result">
            {shown.text || 'No text.'}
          </pre>
          {structuredContent !== undefined && <StructuredContent value={structuredContent} />}
        </div>
      )}
    </section>
  );
};

const StructuredContent = ({ value }: { value: unknown }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="fold-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Structured content
      </button>
      {isOpen && (
        <pre tabIndex={0} aria-label="Structured content">
          {toPrintableJson(value)}
        </pre>
      )}
    </>
  );
};
