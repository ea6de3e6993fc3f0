import type { EntryDraft, EntryProblem } from '@casement/gateway';
import { useEffect, useId, useRef, useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { toCommandLine } from './command-line.js';
import { toEntryRequests } from './entry-requests.js';
import { ExactEntry } from './exact-view.js';
import { Failure } from './modal.js';
import { useInspector } from '../use-inspector.js';

/** What was read from a config, and which of it is wanted. */
export interface ReadConfig {
  readonly drafts: readonly EntryDraft[];
  /** The names of those that are left out. */
  readonly leftOut: ReadonlySet<string>;
}

interface PasteConfigProps {
  /** A file that was dropped; it is read once. */
  readonly file: File | undefined;
  readonly text: string;
  readonly read: ReadConfig;
  onText(text: string): void;
  onRead(read: ReadConfig): void;
}

// Who types is not interrupted at each key; a paste is read at once.
const quietMs = 250;
const maxBytes = 1024 * 1024;

/** Reads a file that was chosen or dropped, or says why not. */
const readConfigFile = async (file: File): Promise<string> => {
  if (file.size > maxBytes)
    throw new Error(`${toPrintable(file.name, 80)} has more than 1 MB: it is no mcp.json.`);
  return file.text();
};

/** Where a place of a text begins; lines and columns count from one. */
const toOffset = (text: string, line: number, column: number): number => {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
};

const placeholder = `{
  "mcpServers": {
    "my-server": { "command": "node", "args": ["server.js"] }
  }
}`;

/** A config of Claude, Cursor or VS Code, pasted, dropped or chosen: what was read of it, entry by entry. */
export const PasteConfig = ({ file, text, read, onText, onRead }: PasteConfigProps) => {
  const inspector = useInspector();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [problems, setProblems] = useState<readonly EntryProblem[]>([]);
  const [error, setError] = useState<unknown>();
  // The caller's functions are new at each drawing; what is read depends on the text alone.
  const told = useRef({ onRead, onText });
  told.current = { onRead, onText };
  useEffect(() => {
    if (file) void readConfigFile(file).then((content) => told.current.onText(content), setError);
  }, [file]);
  useEffect(() => {
    let isLate = false;
    const timer = setTimeout(() => {
      const asked = text.trim() === '' ? undefined : toEntryRequests(inspector).parse(text);
      void Promise.resolve(asked).then(
        (answer) => {
          if (isLate) return;
          setError(undefined);
          setProblems(answer?.problems ?? []);
          told.current.onRead({ drafts: answer?.entries ?? [], leftOut: new Set() });
        },
        (failure: unknown) => !isLate && setError(failure),
      );
    }, quietMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [text, inspector]);
  const show = ({ line = 1, column = 1 }: EntryProblem): void => {
    const at = toOffset(text, line, column);
    area.current?.focus();
    area.current?.setSelectionRange(at, at + 1);
  };
  const choose = (chosen: File | undefined): void => {
    if (chosen) void readConfigFile(chosen).then(onText, setError);
  };
  const toggle = (name: string): void => {
    const leftOut = new Set(read.leftOut);
    if (!leftOut.delete(name)) leftOut.add(name);
    onRead({ ...read, leftOut });
  };
  return (
    <>
      <div className="entry-field">
        <div className="line">
          <label htmlFor={id}>Text of an mcp.json</label>
          <label className="file-choice">
            <span>Choose a file…</span>
            <input
              type="file"
              accept=".json,.jsonc,application/json"
              onChange={({ target }) => choose(target.files?.[0])}
            />
          </label>
        </div>
        <textarea
          ref={area}
          id={id}
          data-first
          rows={11}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          aria-describedby={`${id}-notes`}
          aria-invalid={problems.length > 0}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
        <p id={`${id}-notes`} className="quiet">
          Of Claude, Cursor or VS Code. A file can be dropped anywhere on the page. Nothing starts before you
          have seen it.
        </p>
      </div>
      <Failure error={error} />
      <div role="status">
        {problems.length > 0 && (
          <ul className="findings" aria-label="Problems of the text">
            {problems.map((problem) => (
              <li key={`${problem.line} ${problem.column} ${problem.message}`}>
                {problem.line !== undefined && (
                  <button type="button" className="link" onClick={() => show(problem)}>
                    Line {problem.line}
                    {problem.column !== undefined && `, column ${problem.column}`}
                  </button>
                )}{' '}
                {toPrintable(problem.message, 600)}
              </li>
            ))}
          </ul>
        )}
        {text.trim() !== '' && (
          <p className="unseen">
            {read.drafts.length} servers were read, {problems.length} problems.
          </p>
        )}
      </div>
      {read.drafts.length > 0 && (
        <ul className="drafts" aria-label="Servers that were read">
          {read.drafts.map((draft) => (
            <li key={draft.name}>
              <label>
                <input
                  type="checkbox"
                  checked={!read.leftOut.has(draft.name)}
                  onChange={() => toggle(draft.name)}
                />
                <strong>{toPrintable(draft.name, 200)}</strong>
              </label>
              <details>
                <summary>
                  {toPrintable(
                    draft.kind === 'stdio' ? toCommandLine(draft.command, draft.args) : draft.url,
                    120,
                  )}
                </summary>
                <ExactEntry entry={draft} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
