import type { AppFacts, DoctorFacts, SeenFailure } from './doctor-facts.js';
import { toPrintable, isUIResource } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import { readToolUi } from '@casement/protocol/resource';
import { readPainting } from './layout-findings.js';
import type { LoadTrouble } from './load-troubles.js';
import { findWorstLoad } from './load-troubles.js';
import type { DoctorStage, StageReport } from './report.js';
import { findFirstError, toErrorText } from './script-findings.js';
import { toStageWriter } from './stage-words.js';

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
  /** The stage that ended the app, if one did. */
  readonly failedAt: DoctorStage | undefined;
  /** The first stage that is not over. */
  readonly reached: number;
}

const indexOf = (stage: DoctorStage): number => doctorStages.indexOf(stage);

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
export const toCase = (facts: DoctorFacts, troubles: readonly LoadTrouble[]): Case => {
  const failedAt = toFailedStage(facts);
  return { facts, app: facts.app, troubles, failedAt, reached: toReached(facts.app, failedAt) };
};

/** What an ended app left of a stage that can be judged from outside; undefined where something more is to be said. */
const judge = (stage: DoctorStage, { app, failedAt, reached }: Case): 'failed' | 'open' | 'now' | 'over' => {
  const index = indexOf(stage);
  if (failedAt === stage && app?.failure) return 'failed';
  if (index === reached) return 'now';
  return index < reached ? 'over' : 'open';
};

const found = ({ facts, app, failedAt }: Case): StageReport => {
  const write = toStageWriter('found', app);
  const { tool, result, lint = [] } = facts;
  if (failedAt === 'found' && app?.failure) return write.failed(app.failure);
  const ui = tool === undefined ? undefined : readToolUi(tool);
  if (ui?.resourceUri !== undefined) {
    return write.passed(`The tool names the app ${toPrintable(ui.resourceUri, 200)}.`, 'started');
  }
  const refused = ui?.broken && ui.findings.find(({ code }) => code === 'resource-uri');
  if (refused) {
    return write.failed({
      step: 'resource',
      code: 'resource-uri',
      message: refused.message,
      hint: refused.fix,
    });
  }
  const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
  if (content.some(isUIResource)) return write.passed('The result of the tool carries an app.', 'started');
  if (app && app.status !== 'idle') return write.passed('An app was asked for.', 'started');
  const misplaced = lint.find(({ stage, severity }) => stage === 'found' && severity === 'error');
  return misplaced
    ? { stage: 'found', verdict: 'failed', witness: 'host', seen: misplaced.message, fix: misplaced.fix }
    : { stage: 'found', verdict: 'open', witness: 'host', seen: 'The tool names no app.' };
};

const advertised = ({ facts, app, failedAt }: Case): StageReport => {
  const write = toStageWriter('advertised', app);
  const { server, tool } = facts;
  if (failedAt === 'found') return write.open();
  if (server?.advertised === undefined) {
    return write.unknown('Nobody noted whether the server was told that this client shows apps.');
  }
  if (!server.advertised) {
    return write.doubtful({
      seen: 'The server was not told that this client shows apps.',
      cause: 'A server may leave its apps out for clients that do not say that they show them.',
      fix: 'Have the client declare the extension io.modelcontextprotocol/ui in its capabilities.',
    });
  }
  const isNamed = tool !== undefined && readToolUi(tool).resourceUri !== undefined;
  if (isNamed && server.capabilities && server.capabilities.resources === undefined) {
    return write.doubtful({
      seen: 'A tool names an app, and the server does not declare that it has resources.',
      cause: 'A host need not read resources from a server that does not declare any; the app is one.',
      fix: 'Add "resources": {} to the capabilities in the answer to initialize.',
    });
  }
  return write.passed('The server was told that this client shows apps (io.modelcontextprotocol/ui).');
};

const read = (one: Case): StageReport => {
  const { app } = one;
  const write = toStageWriter('read', app);
  switch (judge('read', one)) {
    case 'failed':
      return app?.failure ? write.failed(app.failure) : write.open();
    case 'now':
      return write.waiting('The server was asked for the resource and has not answered yet.');
    case 'over':
      return write.passed(
        app?.resource
          ? `${toPrintable(app.resource.uri, 200)} was read: ${app.resource.bytes} bytes.`
          : 'The resource was read.',
        'read',
      );
    case 'open':
      return write.open();
  }
};

const framed = (one: Case): StageReport => {
  const { app } = one;
  const write = toStageWriter('framed', app);
  switch (judge('framed', one)) {
    case 'failed':
      return app?.failure ? write.failed(app.failure) : write.open();
    case 'now':
      return write.waiting('The sandbox is opened.');
    case 'over':
      return write.passed(
        app?.fallback
          ? 'The sandbox is open; the app has no origin of its own, so storage and frames do not work in it.'
          : 'The sandbox is open, and its policy is in force.',
        'framed',
      );
    case 'open':
      return write.open();
  }
};

/** What the app's page says that went wrong while it was loaded; only a doubt, because the page can make it up. */
const toLoadDoubt = ({
  app,
  troubles,
}: Case): Pick<StageReport, 'seen' | 'cause' | 'fix' | 'witness'> | undefined => {
  if (!app) return undefined;
  const worst = findWorstLoad(troubles);
  const hasGreeted = app.appInfo !== undefined || app.times?.greeted !== undefined;
  if (worst?.finding.severity === 'error' || (worst && !hasGreeted)) {
    const { finding, cause } = worst;
    return { seen: finding.message, cause, fix: finding.fix, witness: finding.witness };
  }
  const error = hasGreeted ? undefined : findFirstError(app);
  if (!error) return undefined;
  return {
    seen: `A script error came before the handshake: ${toErrorText(error, app)}`,
    cause: 'An error that nothing catches ends the script it happens in, and often the app with it.',
    fix: 'Fix the error. The app is waited for all the same: if it sends ui/initialize, it goes on.',
    witness: 'app',
  };
};

const loaded = (one: Case): StageReport => {
  const { app } = one;
  const write = toStageWriter('loaded', app);
  const doubt = toLoadDoubt(one);
  switch (judge('loaded', one)) {
    case 'failed':
      return app?.failure ? write.failed(app.failure) : write.open();
    case 'now':
      if (doubt) return write.doubtful(doubt, doubt.witness);
      return write.waiting('The HTML was handed over; its document is loading.');
    case 'over':
      if (doubt) return write.doubtful(doubt, doubt.witness, 'loaded');
      return write.passed('The document was loaded.', 'loaded');
    case 'open':
      return write.open();
  }
};

const handshake = (one: Case): StageReport => {
  const { app } = one;
  const write = toStageWriter('handshake', app);
  switch (judge('handshake', one)) {
    case 'failed':
      return app?.failure ? write.failed(app.failure) : write.open();
    case 'now':
      return write.waiting(
        app?.appInfo
          ? 'The app has sent ui/initialize, and not yet ui/notifications/initialized.'
          : 'The app has not sent ui/initialize yet.',
      );
    case 'over':
      return write.passed('The app has sent ui/initialize and ui/notifications/initialized.', 'ready');
    case 'open':
      return write.open();
  }
};

const fed = (one: Case): StageReport => {
  const { app, facts, reached, failedAt } = one;
  const write = toStageWriter('fed', app);
  if (!app || reached < indexOf('fed')) return write.open();
  const { failure, times } = app;
  if (failedAt === undefined && failure?.code === 'server-lost') {
    const { cause, fix } = write.failed(failure);
    return write.doubtful({
      seen: failure.message,
      ...(cause !== undefined && { cause }),
      ...(fix !== undefined && { fix }),
    });
  }
  if (!times) return write.unknown('Nobody noted when input and result were handed to the app.');
  if (times.result === undefined) {
    if (failedAt) return write.open();
    return write.waiting(
      times.input === undefined
        ? 'Neither input nor result was handed to the app yet.'
        : 'The app has its input and waits for the result.',
    );
  }
  if (isRecord(facts.result) && facts.result.isError === true) {
    return write.doubtful(
      {
        seen: 'The result that the app got says that the call failed.',
        cause: 'The tool gave isError: true; what it says is in the text of the result.',
        fix: 'Cure what the tool complains about; show the text of such a result in the app.',
      },
      'host',
      'result',
    );
  }
  return write.passed('Input and result were handed to the app.', 'result');
};

const painted = (one: Case): StageReport => {
  const { app, failedAt, reached } = one;
  const write = toStageWriter('painted', app);
  if (!app || reached < indexOf('fed')) return write.open();
  const { failure, evidence, times } = app;
  if (failedAt === 'painted' && failure) return write.failed(failure);
  if (failure?.code === 'app-not-responding') {
    const { cause, fix } = write.failed(failure);
    return write.doubtful({
      seen: failure.message,
      ...(cause !== undefined && { cause }),
      ...(fix !== undefined && { fix }),
    });
  }
  const painting = evidence && readPainting(evidence, times);
  if (!painting) return write.unknown('Nobody looked into the frame of the app.');
  const worst = findWorstLoad(one.troubles);
  if (painting.isEmpty) {
    return {
      stage: 'painted',
      verdict: 'failed',
      witness: 'app',
      seen: 'The app is ready and shows nothing.',
      cause: worst
        ? `${worst.finding.message} ${worst.cause}`
        : 'Nothing in the document has text, a picture, a background or a border.',
      fix: worst?.finding.fix ?? 'Draw something before the result is there, and when it is not as expected.',
    };
  }
  const isThere = painting.at !== undefined && (painting.layout?.boxes ?? 0) > 0;
  if (!isThere) return { ...write.waiting('Nothing of the app is to be seen yet.'), witness: 'app' };
  const ms =
    painting.at === undefined || times?.started === undefined
      ? {}
      : { ms: Math.max(0, Math.round(painting.at - times.started)) };
  const boxes = painting.layout?.boxes ?? 0;
  const seen = `The app shows ${boxes === 1 ? 'one element' : `${boxes} elements`}.`;
  return { stage: 'painted', verdict: 'passed', witness: 'app', seen, ...ms };
};

/** How each stage went, in their order. */
export const diagnoseStages = (one: Case): StageReport[] =>
  [found, advertised, read, framed, loaded, handshake, fed, painted].map((look) => look(one));
