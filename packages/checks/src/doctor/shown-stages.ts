import { isRecord } from '@casement/protocol/start';
import { findWorstLoad } from './load-troubles.js';
import type { StageReport } from './report.js';
import { indexOf, type Case } from './stage-case.js';
import { toStageWriter } from './stage-words.js';

/** Whether the app got its input and its result. */
export const fed = (one: Case): StageReport => {
  const { app, facts, reached, failedAt } = one;
  const write = toStageWriter('fed', app);
  if (!app || reached < indexOf('fed')) return write.open();
  const { failure, times } = app;
  if (failedAt === undefined && failure?.code === 'server-lost') {
    return write.troubled(failure);
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

/** Whether anything of the app is to be seen; only its own page can tell. */
export const painted = (one: Case): StageReport => {
  const { app, failedAt, reached, painting } = one;
  const write = toStageWriter('painted', app);
  if (!app || reached < indexOf('fed')) return write.open();
  const { failure, times } = app;
  if (failedAt === 'painted' && failure) return write.failed(failure);
  if (failure?.code === 'app-not-responding') {
    return write.troubled(failure);
  }
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
      ...(worst?.finding.place && { place: worst.finding.place }),
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
