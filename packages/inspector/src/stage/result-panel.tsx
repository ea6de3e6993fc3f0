import type { CallToolResult } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { useMemo, useState } from 'react';
import { toPrintableJson } from '../parts/bounded-json.js';
import { toByteSize } from '../parts/quantity.js';
import { isOver } from './stage-element.js';
import { useInspector, useValue } from '../use-inspector.js';

/** The text of a result that is shown, and whether it is all there is. */
interface ResultText {
  text: string;
  cut: boolean;
}

const separator = '\n';

/** The blocks of a result as text, no longer than `limit`, without ever joining more than that. */
export const toResultText = ({ content = [] }: CallToolResult, limit = 20_000): ResultText => {
  const parts: string[] = [];
  let room = limit;
  let cut = false;
  for (const block of content) {
    const text = 'text' in block && typeof block.text === 'string' ? block.text : `[${block.type}]`;
    if (text.length > room) cut = true;
    parts.push(text.slice(0, room));
    room -= text.length + separator.length;
    if (room > 0) continue;
    cut ||= block !== content.at(-1);
    break;
  }
  return { text: toPrintable(parts.join(separator), Infinity, { lines: 'keep' }), cut };
};

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
