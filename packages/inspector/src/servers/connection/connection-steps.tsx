import type { ServerSummary } from '@casement/gateway';
import { useEffect, useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { readAnswer } from '../../connection/gateway-client.js';
import { useInspector, useValue } from '../../use-inspector.js';
import { stateMarks, stateWords, stepNames, toTime, type ServerStart } from './step-words.js';
import './connection.css';

const TICK_MS = 1000;

/** Seconds since a start began: what the gateway said last, and the time since then. */
const useElapsed = ({ elapsedMs }: ServerStart, isRunning: boolean): number => {
  const [told, setTold] = useState({ elapsedMs, at: performance.now() });
  const [now, setNow] = useState(told.at);
  useEffect(() => {
    setTold({ elapsedMs, at: performance.now() });
    setNow(performance.now());
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [elapsedMs, isRunning]);
  return told.elapsedMs + Math.max(0, isRunning ? now - told.at : 0);
};

const Step = ({
  step: { name, state, ms, verdict, fix },
  said,
}: {
  step: ServerStart['steps'][number];
  /** What stands above the steps already. */
  said: string | undefined;
}) => (
  <li data-state={state} {...(state === 'running' || state === 'failed' ? { 'aria-current': 'step' } : {})}>
    <span className="mark" aria-hidden="true">
      {stateMarks[state]}
    </span>
    <span className="step-name">
      {stepNames[name]}
      <span className="unseen"> {stateWords[state]}</span>
    </span>
    <span className="time quiet">{ms === undefined ? '' : toTime(ms)}</span>
    {verdict !== undefined && verdict !== said && (
      <span className="verdict wrap">
        {toPrintable(verdict, 600)}
        {fix !== undefined && <span className="fix"> {toPrintable(fix, 600)}</span>}
      </span>
    )}
  </li>
);

/** The steps to a server with their times and verdicts, and the ways to end a start and to look into a failure. */
export const ConnectionSteps = ({
  summary: { name, status, error },
  start,
}: {
  summary: ServerSummary;
  start: ServerStart;
}) => {
  const routes = useValue(useInspector().gateway)?.client.api.servers[':name'];
  const [problem, setProblem] = useState('');
  const isStarting = status === 'connecting';
  const elapsed = useElapsed(start, isStarting);
  const ask = (request: Promise<unknown> | undefined): void => {
    setProblem('');
    request?.catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <div className="connection-steps">
      <ol aria-label="Steps to the server">
        {start.steps.map((step) => (
          <Step key={step.name} step={step} said={error?.message} />
        ))}
      </ol>
      {isStarting && start.note !== undefined && (
        <p role="status" className="wrap">
          {toPrintable(start.note, 300)}
        </p>
      )}
      <div className="line">
        <p className="quiet">
          {isStarting ? `${Math.floor(elapsed / 1000)} s so far` : `${toTime(elapsed)} in all`}
        </p>
        {isStarting ? (
          <button
            type="button"
            className="small"
            aria-label="Cancel start"
            onClick={() => ask(routes && readAnswer(routes.cancel.$post({ param: { name }, json: {} })))}
          >
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className="small"
            aria-label="Diagnose connection"
            title="Tries each step again and reads the lists; it calls no tool."
            disabled={start.diagnosing === true}
            onClick={() => ask(routes && readAnswer(routes.diagnose.$post({ param: { name }, json: {} })))}
          >
            {start.diagnosing === true ? 'Diagnosing…' : 'Diagnose'}
          </button>
        )}
      </div>
      {problem !== '' && (
        <p role="alert" className="error-text wrap">
          {toPrintable(problem, 300)}
        </p>
      )}
    </div>
  );
};
