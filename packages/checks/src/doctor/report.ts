/** The eight stages from a tool to something on the screen, in their order. */
export type DoctorStage =
  'found' | 'advertised' | 'read' | 'framed' | 'loaded' | 'handshake' | 'fed' | 'painted';

/** Who saw it. What only the app's own page says can be forged by the app. */
export type Witness = 'host' | 'browser' | 'app';

/** Where in the code something was, as the app's page says it: the way to its source. */
export interface SeenPlace {
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The place of an error, with what helps to find it where the event does not say enough. */
interface FoundPlace extends SeenPlace {
  readonly message?: string;
  readonly stack?: string;
}

/** How one stage went. */
export interface StageReport {
  readonly stage: DoctorStage;
  /**
   * `passed`; `doubtful`: it passed, or is under way, and something is wrong with it; `failed`; `waiting`: it is under way;
   * `open`: it was not reached; `unknown`: nobody looked.
   */
  readonly verdict: 'passed' | 'doubtful' | 'failed' | 'waiting' | 'open' | 'unknown';
  /** Milliseconds since the app was asked for. */
  readonly ms?: number;
  readonly witness: Witness;
  /** What was seen, in one sentence. */
  readonly seen: string;
  readonly cause?: string;
  /** What to write or change, exactly. */
  readonly fix?: string;
  /** Where in the code the cause is. */
  readonly place?: FoundPlace;
}

/** Something an author should change, though it may work here. */
export interface DoctorFinding {
  /** Stable, in lower case with hyphens. */
  readonly code: string;
  readonly stage: DoctorStage;
  readonly severity: 'error' | 'warning' | 'note';
  readonly witness: Witness;
  readonly message: string;
  readonly fix: string;
  /** The field, the address or the place in the code it is about. */
  readonly path?: string;
  /** Where in the code it was, for who looks for the source. */
  readonly place?: FoundPlace;
}

/** What the doctor says of one app; made anew whenever something is known in addition. */
export interface DoctorReport {
  readonly stages: readonly StageReport[];
  /** The first stage that failed. */
  readonly failed?: DoctorStage;
  readonly findings: readonly DoctorFinding[];
}
