import type { AppSnapshot } from '@casement/host';
import { lazy, memo, useEffect, useLayoutEffect, useRef } from 'react';
import type { AppHistory, CallState } from './stage-types.js';
import { AppHead } from './app-head.js';
import { ResultPanel } from './result-panel.js';
import { StageToolbar } from './stage-toolbar.js';
import { LatePart } from '../parts/late-part.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const bringDoctor = () => import('./stage-doctor.js');
const DoctorCard = lazy(async () => ({ default: (await bringDoctor()).DoctorCard }));
const DoctorLine = lazy(async () => ({ default: (await bringDoctor()).DoctorLine }));
const StageNotes = lazy(async () => ({ default: (await bringDoctor()).StageNotes }));
const WatchBar = lazy(async () => ({ default: (await import('../watch/watch-bar.js')).WatchBar }));

const noApp: Record<CallState['status'], string> = {
  none: 'Choose a tool and run it: its app is shown here.',
  streaming: 'This tool has no app; its result will be shown here.',
  running: 'This tool has no app; its result will be shown here.',
  done: 'This tool has no app: this is its result.',
  cancelled: 'The call was cancelled, and the tool has no app.',
  failed: 'The call failed, and the tool has no app.',
};

const toPlaceholder = (
  call: CallState,
  snapshot: AppSnapshot | undefined,
  { askedToClose }: AppHistory,
): string => {
  switch (snapshot?.status) {
    case undefined:
      return noApp[call.status];
    case 'idle':
    case 'loading':
    case 'sandbox':
    case 'handshake':
      return 'Loading the app…';
    case 'tearing-down':
      return 'The app is being closed: it has a few seconds to save.';
    case 'closed':
      return askedToClose ? 'The app asked to be closed, and was.' : 'The app is closed.';
    default:
      return '';
  }
};

/** Holds the stage's own element, which React neither makes nor moves: a frame that is moved starts anew. */
const StagePlace = memo(() => {
  const { stageElement } = useInspector();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current && stageElement.root.parentElement !== place.current)
      place.current.append(stageElement.root);
  }, [stageElement]);
  return <div ref={place} className="stage-place" />;
});

/** The stage with its controls; whatever goes wrong is said here, so that it never stays blank. */
export const StageSection = () => {
  const { shown, settings, watch: following, doctor } = useInspector();
  const isDue = useValue(doctor.isDue);
  useEffect(() => {
    // Before there is an app. Who draws it says that it did not come.
    if (isDue) bringDoctor().catch(() => undefined);
  }, [isDue]);
  const watch = useValue(following);
  const width = usePart(settings, (view) => view.width);
  const { call, snapshot, staged, history } = useValue(shown);
  const placeholder = toPlaceholder(call, snapshot, history);
  const resultOnly = snapshot === undefined && call.status === 'done';
  return (
    <section className="show" aria-label="Stage" data-result-only={resultOnly || undefined}>
      <StageToolbar />
      {snapshot && (
        <div className="doctor-bar">
          {isDue && (
            <LatePart name="The doctor" quiet>
              <DoctorLine />
            </LatePart>
          )}
        </div>
      )}
      {watch && (
        <LatePart name="what changed" quiet>
          <WatchBar watch={watch} />
        </LatePart>
      )}
      {snapshot?.fallback && (
        <p className="fallback" data-fallback-reason={snapshot.fallback.kind}>
          {snapshot.fallback.reason}
        </p>
      )}
      <div className="stage-area" data-width={width} data-status={snapshot?.status ?? 'idle'}>
        {snapshot && isDue && (
          <LatePart name="What the doctor sees" quiet>
            <DoctorCard snapshot={snapshot} />
          </LatePart>
        )}
        {staged && snapshot?.status === 'ready' && <AppHead server={staged.port.name} snapshot={snapshot} />}
        <StagePlace />
        {placeholder !== '' && <p className="placeholder">{placeholder}</p>}
      </div>
      <ResultPanel />
      {snapshot && isDue && (
        <LatePart name="What is known of the app" quiet>
          <StageNotes snapshot={snapshot} />
        </LatePart>
      )}
    </section>
  );
};
