import type { CallToolResult } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import { useId, useState, type FormEvent } from 'react';
import { parseJsonArguments } from '../../parts/parse-json-arguments.js';
import { toDuration } from '../../parts/quantity.js';
import { JsonText } from '../../parts/json-text.js';

/** Calls a tool of the app. */
export type CallAppTool = (name: string, args: Record<string, unknown>) => Promise<CallToolResult>;

type Outcome =
  | { status: 'running' }
  | { status: 'done'; result: CallToolResult; ms: number }
  | { status: 'failed'; reason: string; code?: string };

const toFailure = (error: unknown): Outcome => ({
  status: 'failed',
  reason: error instanceof Error ? error.message : String(error),
  ...(error instanceof CasementError ? { code: error.code } : {}),
});

const OutcomeView = ({ outcome, name }: { outcome: Outcome; name: string }) => {
  if (outcome.status === 'running') return null;
  if (outcome.status === 'done') return <JsonText value={outcome.result} name={`Result of ${name}`} />;
  return (
    <p className="error-text">
      {toPrintable(outcome.reason, 600)} {outcome.code !== undefined && <code>{outcome.code}</code>}
    </p>
  );
};

const toStatusText = (outcome: Outcome | undefined): string => {
  if (outcome?.status === 'running') return 'Running…';
  if (outcome?.status !== 'done') return '';
  return `${outcome.result.isError ? 'Tool error' : 'Done'} in ${toDuration(outcome.ms)}`;
};

/** Tries a tool of the app: arguments as JSON, and what it answered. */
export const AppToolCall = ({ name, onCall }: { name: string; onCall: CallAppTool }) => {
  const id = useId();
  const [text, setText] = useState('{}');
  const [outcome, setOutcome] = useState<Outcome>();
  const parsed = parseJsonArguments(text);
  const shownName = toPrintable(name, 60);
  const call = (event: FormEvent): void => {
    event.preventDefault();
    if (!parsed.ok || outcome?.status === 'running') return;
    const since = performance.now();
    setOutcome({ status: 'running' });
    onCall(name, parsed.args).then(
      (result) => setOutcome({ status: 'done', result, ms: Math.round(performance.now() - since) }),
      (error: unknown) => setOutcome(toFailure(error)),
    );
  };
  return (
    <form className="app-tool-call" onSubmit={call} aria-label={`Call ${shownName}`}>
      <label htmlFor={id}>Arguments</label>
      <textarea
        id={id}
        rows={Math.min(Math.max(text.split('\n').length, 2), 10)}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={!parsed.ok}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {!parsed.ok && <p className="error-text">{toPrintable(parsed.reason, 300)}</p>}
      <div className="actions">
        <button type="submit" className="small-button" disabled={!parsed.ok}>
          Call<span className="unseen"> {shownName}</span>
        </button>
        <span className="panel-note" role="status">
          {toStatusText(outcome)}
        </span>
      </div>
      {outcome && <OutcomeView outcome={outcome} name={shownName} />}
    </form>
  );
};
