import { readToolUi } from '@casement/protocol/resource';
import type { AppFacts, DoctorFacts, SeenFailure } from './doctor-facts.js';
import type { Painting } from './layout-findings.js';
import type { LoadTrouble } from './load-troubles.js';
import type { DoctorStage } from './report.js';

/** The stages in their order. */
export const doctorStages = [
  'found',
  'advertised',
  'read',
  'framed',
  'loaded',
  'handshake',
  'fed',
  'painted',
] as const satisfies readonly DoctorStage[];

/** Everything that the stages are judged by. */
export interface Case {
  readonly facts: DoctorFacts;
  readonly app: AppFacts | undefined;
  readonly troubles: readonly LoadTrouble[];
  /** What is on the screen, if somebody looked. */
  readonly painting: Painting | undefined;
  /** The stage that ended the app, if one did. */
  readonly failedAt: DoctorStage | undefined;
  /** The first stage that is not over. */
  readonly reached: number;
}

/** The place of a stage in their order. */
export const indexOf = (stage: DoctorStage): number => doctorStages.indexOf(stage);

const stageOf: Readonly<Record<SeenFailure['step'], DoctorStage | undefined>> = {
  resource: 'read',
  sandbox: 'framed',
  html: 'loaded',
  handshake: 'handshake',
  initialized: 'handshake',
  running: 'painted',
  teardown: undefined,
};

const isRefusedAddress = ({ tool }: DoctorFacts, { code }: SeenFailure): boolean =>
  code === 'resource-uri' && tool !== undefined && readToolUi(tool).resourceUri === undefined;

const toFailedStage = (facts: DoctorFacts): DoctorStage | undefined => {
  const { status, failure } = facts.app ?? {};
  if (status !== 'failed' || !failure) return undefined;
  return isRefusedAddress(facts, failure) ? 'found' : stageOf[failure.step];
};

/** What an app had reached that is over, read from what it left behind. */
const toLast = ({ times, appInfo, resource }: AppFacts): DoctorStage => {
  if (times?.ready !== undefined || (times === undefined && appInfo)) return 'fed';
  if (appInfo) return 'handshake';
  return resource ? 'framed' : 'read';
};

const toReached = (app: AppFacts | undefined, failedAt: DoctorStage | undefined): number => {
  if (failedAt) return indexOf(failedAt);
  if (!app) return -1;
  switch (app.status) {
    case 'idle':
      return -1;
    case 'loading':
      return indexOf('read');
    case 'sandbox':
      return indexOf('framed');
    case 'handshake':
      return indexOf(app.appInfo || app.times?.loaded !== undefined ? 'handshake' : 'loaded');
    case 'ready':
      return indexOf('fed');
    default:
      return indexOf(toLast(app));
  }
};

/** Puts together what the stages are judged by. */
export const toCase = (
  facts: DoctorFacts,
  { troubles, painting }: Pick<Case, 'troubles' | 'painting'>,
): Case => {
  const failedAt = toFailedStage(facts);
  return { facts, app: facts.app, troubles, painting, failedAt, reached: toReached(facts.app, failedAt) };
};

/** Where an app is, seen from one stage: past it, in it, before it, or ended by it. */
export const judge = (
  stage: DoctorStage,
  { app, failedAt, reached }: Case,
): 'failed' | 'open' | 'now' | 'over' => {
  const index = indexOf(stage);
  if (failedAt === stage && app?.failure) return 'failed';
  if (index === reached) return 'now';
  return index < reached ? 'over' : 'open';
};
