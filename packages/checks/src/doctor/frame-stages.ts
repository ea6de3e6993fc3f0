import type { StageReport } from './report.js';
import { findWorstLoad } from './load-troubles.js';
import { findFirstError, toErrorSource, toErrorText } from './script-findings.js';
import { judge, type Case } from './stage-case.js';
import { toStageWriter } from './stage-words.js';

/** Whether the sandbox opened. */
export const framed = (one: Case): StageReport => {
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
}: Case): Pick<StageReport, 'seen' | 'cause' | 'fix' | 'witness' | 'place'> | undefined => {
  if (!app) return undefined;
  const worst = findWorstLoad(troubles);
  const hasGreeted = app.appInfo !== undefined || app.times?.greeted !== undefined;
  if (worst?.finding.severity === 'error' || (worst && !hasGreeted)) {
    const { finding, cause } = worst;
    const { message, fix, witness, place } = finding;
    return { seen: message, cause, fix, witness, ...(place && { place }) };
  }
  const error = hasGreeted ? undefined : findFirstError(app);
  if (!error) return undefined;
  return {
    seen: `A script error came before the handshake: ${toErrorText(error, app)}`,
    cause: 'An error that nothing catches ends the script it happens in, and often the app with it.',
    fix: 'Fix the error. The host goes on waiting: if the app sends ui/initialize after all, it runs.',
    witness: 'app',
    ...toErrorSource(error),
  };
};

/** Whether the document was loaded, with all it needs. */
export const loaded = (one: Case): StageReport => {
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

/** Whether app and host greeted each other. */
export const handshake = (one: Case): StageReport => {
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
