import type { DoctorReport } from '@casement/checks/doctor';
import type { Recording } from '@casement/protocol';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';
import type * as Diagnosis from './diagnose.js';
import type { ExaminedApp } from './examined-app.js';

/** What the doctor says of the app on the stage, for views: at most as often as the stage itself is drawn. */
export interface Doctor extends Readable<DoctorReport | undefined> {
  /** What it says now; nothing until there is an app, and the doctor's own code, which comes with the first one. */
  read(): DoctorReport | undefined;
  /** What it says of another app; nothing until its code is there, which subscribers are told. */
  examine(app: ExaminedApp): DoctorReport | undefined;
  /** Writes down what it says of an app that is not on the stage. */
  record(app: ExaminedApp): void;
  /** Has its code loaded. */
  prepare(): void;
  /** Whether it is time for what it says, and for what is drawn of that: an app that comes up well goes first. */
  readonly isDue: Readable<boolean>;
}

/** What the doctor looks at. */
interface DoctorParts {
  /** Every value the app on the stage is judged by; told often. */
  readonly changes: readonly Pick<Readable<unknown>, 'subscribe'>[];
  read(): ExaminedApp | undefined;
  readonly recording: Pick<Recording, 'append'>;
}

/** After this long without a change the app is looked at once more: some things are told by the time that passed alone. */
const quietMs = 1_200;

/** How long the first app has the page to itself, unless something goes wrong: the code would come in its way. */
const headStartMs = 500;

const isTroubled = ({ snapshot: { failure, scriptErrors } }: ExaminedApp): boolean =>
  failure !== undefined || scriptErrors.length > 0;

/** Creates the doctor of the page. It writes down what it says of the app on the stage. */
export const createDoctor = ({ changes, read, recording }: DoctorParts): Doctor => {
  const report = createStore<DoctorReport | undefined>(undefined);
  const isDue = createStore(false);
  let headStart: ReturnType<typeof setTimeout> | undefined;
  let loaded: Promise<void> | undefined;
  let diagnose: ReturnType<typeof Diagnosis.createDiagnosis> | undefined;
  let log: ReturnType<typeof Diagnosis.createVerdictLog> | undefined;

  const prepare = (): void => {
    clearTimeout(headStart);
    isDue.set(true);
    // Without it everything else goes on; the views that need it say that it did not come.
    loaded ??= import('./diagnose.js').then(
      (code) => {
        diagnose = code.createDiagnosis();
        log = code.createVerdictLog(recording);
        look();
      },
      () => undefined,
    );
  };
  const examine = (app: ExaminedApp): DoctorReport | undefined => {
    prepare();
    return diagnose?.(app);
  };
  let again: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(again);
    lookNow();
    if (report.getSnapshot()) again = setTimeout(lookNow, quietMs);
  };
  const lookNow = (): void => {
    const app = read();
    if (!app || isDue.getSnapshot() || isTroubled(app)) report.set(app && record(app));
    else headStart ??= setTimeout(prepare, headStartMs);
  };
  const record = (app: ExaminedApp): DoctorReport | undefined => {
    const next = examine(app);
    if (next) log?.follow(app.snapshot, next);
    return next;
  };
  for (const { subscribe } of changes) subscribe(look);
  return {
    ...report,
    examine,
    record,
    prepare,
    isDue,
    read: () => {
      const app = read();
      return app && examine(app);
    },
  };
};
