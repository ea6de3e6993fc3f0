import { useEffect, useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { toByteSize, toDuration } from '../parts/quantity.js';
import type { CallState } from '../stage/stage-types.js';
import { paces, type PaceName } from '../address/view-settings.js';
import { CallFailure } from './call-failure.js';
import { LabelledSelect } from '../parts/labelled-select.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const toOutcome = (call: CallState): string => {
  switch (call.status) {
    case 'none':
    case 'streaming':
    case 'running':
      return '';
    case 'cancelled':
      return `Cancelled after ${toDuration(call.ms)}`;
    case 'failed':
      return `Failed after ${toDuration(call.ms)}`;
    case 'done': {
      const size = call.bytes === undefined ? '' : ` · ${toByteSize(call.bytes)}`;
      return `${call.result.isError ? 'Tool error' : 'Done'} in ${toDuration(call.ms)}${size}`;
    }
  }
};

const busyTexts = { streaming: 'Writing the arguments…', running: 'Running…' } as const;

const paceNames: Record<PaceName, string> = { off: 'off', slow: 'slow', model: 'as a model', fast: 'fast' };

/** The time a call has taken so far; drawn for the eye, not read out at every tick. */
const Elapsed = ({ call }: { call: Extract<CallState, { status: 'running' }> }) => {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const { progress } = call;
  const part = progress && (progress.total ? `${progress.progress}/${progress.total}` : progress.progress);
  return (
    <span className="quiet">
      {toDuration(Math.max(0, now - call.since))} {part} {toPrintable(progress?.message ?? '', 80)}
    </span>
  );
};

/** Runs and cancels the call, and says how long it took and how much it brought. */
export const CallActions = () => {
  const { workbench, shown, stage, settings, expectRun, pressRun } = useInspector();
  const { server, tool } = useValue(workbench);
  const { call } = useValue(shown);
  const pace = usePart(settings, (view) => view.stream);
  const isBusy = call.status === 'running' || call.status === 'streaming';
  const ready = tool !== undefined && server?.summary.status === 'ready';
  const failed = call.status === 'failed' ? call.error : undefined;
  return (
    <div className="call-foot">
      <div className="actions">
        <button
          type="submit"
          className="primary"
          disabled={!ready}
          title="Ctrl+Enter"
          onPointerEnter={expectRun}
          onFocus={expectRun}
          onPointerDown={pressRun}
          onKeyDown={pressRun}
        >
          Run
        </button>
        <button type="button" disabled={!isBusy} onClick={() => stage.cancel()}>
          Cancel
        </button>
        <p className="quiet" role="status">
          {isBusy ? busyTexts[call.status] : toOutcome(call)}
        </p>
        {call.status === 'running' && <Elapsed call={call} />}
        {call.status === 'streaming' && (
          <progress value={call.written} max={call.total} aria-label="Arguments written" />
        )}
        <LabelledSelect<PaceName>
          label="Stream arguments"
          value={pace}
          options={paces.map((value) => ({ value, label: paceNames[value] }))}
          onChange={(stream) => settings.change({ stream })}
        />
      </div>
      {call.status === 'running' && call.warning !== undefined && (
        <p className="warn-text" role="status" aria-label="Warning about the call">
          {toPrintable(call.warning, 900)}
        </p>
      )}
      {failed && <CallFailure error={failed} />}
    </div>
  );
};
