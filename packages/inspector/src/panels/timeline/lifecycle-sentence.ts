import { toDoctorSentence } from './evidence-sentence.js';
import { isRecord } from '@casement/protocol/start';
import type { Gist } from './message-gist.js';
import { toModelStepSentence } from './model-step-sentence.js';
import { toSignInSentence } from './sign-in-sentence.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 400) : '');

const sentences: ReadonlyMap<string, string> = new Map([
  ['start', 'The session starts: the resource is being read.'],
  ['restart', 'The app is loaded again from the start.'],
  ['mounted', 'The sandbox frames are in the page.'],
  ['unmounted', 'The sandbox frames were removed.'],
  ['resource', 'The resource was read and checked.'],
  ['resource-read', 'The server delivered the resource.'],
  ['early-start', 'The app starts out of sight, while the server is asked whether it is still the same.'],
  ['proxy-ready', 'The sandbox proxy is ready.'],
  ['loader-ready', 'The app has a new document.'],
  ['frame-loaded', 'The document of the app has loaded.'],
  ['initialize', 'The app began the handshake.'],
  ['initialized', 'The app finished the handshake and is running.'],
  ['app-silent', 'The app does not respond.'],
  ['app-alive', 'The app responds again.'],
  ['close', 'The app is being closed.'],
  ['torn-down', 'The app stopped as it was asked.'],
  ['removed', 'The app is gone.'],
  ['warm-frames-discarded', 'The frames opened in advance did not fit the policy and were discarded.'],
]);

const failures: ReadonlySet<string> = new Set(['fail', 'server-lost', 'app-silent']);

const healthWords: ReadonlyMap<string, string> = new Map([
  ['silent', 'The app’s thread has not answered for some seconds.'],
  ['alive', 'The app’s thread answers again.'],
  ['gone', 'The app’s document is gone, and nothing took its place.'],
]);

const toHealthText = ({ state, ms }: Record<string, unknown>): string =>
  typeof ms === 'number'
    ? `The app’s sandbox stood still for ${(ms / 1000).toFixed(1)} s: the app, or a page on its thread, was busy.`
    : (healthWords.get(textOf(state)) ?? 'app-health');

/** Why an app was removed without an answer to teardown. */
const skipWords: ReadonlyMap<string, string> = new Map([
  ['pagehide', 'The app was not asked to end: the page was left.'],
  ['removed-by-others', 'The app was not asked to end: its place was taken out of the page.'],
  ['stopped', 'The app was stopped before it had answered.'],
  ['keyboard-taken', 'The app was ended before it had answered: it took the keyboard on its way out.'],
  ['too-many', 'The app was ended before it had answered: too many others were being closed.'],
]);

/** Why frames that were made ready were not used. */
const dropWords: ReadonlyMap<string, string> = new Map([
  ['another-tool', 'another tool was chosen'],
  ['settings', 'a setting that decides about frames was changed'],
  ['mounted-first', 'the tool was run before they were ready'],
  ['read-failed', 'the resource could not be read ahead'],
  ['read-slow', 'the resource took more than five seconds to read'],
  ['server-changed', 'the server announced a change'],
  ['server-lost', 'the server is gone'],
  ['policy-changed', 'the run asked for another policy'],
  ['html-changed', 'the server has other HTML than before'],
  ['unconfirmed', 'the server took more than two seconds to confirm the app in them'],
  ['spoke-much', 'the app in them said too much before it was confirmed'],
  ['run-failed', 'the run failed before they were needed'],
  ['proxy-silent', 'the sandbox did not answer in them'],
  ['spoke-early', 'something spoke in them before there was an app'],
  ['focus-taken', 'something in them took the focus'],
  ['app-ended', 'the app that shares their origin ended or hangs'],
  ['unused', 'nobody ran the tool for a minute'],
  ['page-hidden', 'the page was out of sight'],
  ['memory', 'memory is short'],
  ['too-many', 'others were wanted more'],
  ['removed', 'their place was taken out of the page'],
]);

/** Frames that were made ready before their app was run. */
const toWarmSentence = ({ step, tool, reason }: Record<string, unknown>): Gist => {
  if (step === 'prepared') return { text: `The frames for ${textOf(tool)} wait, in case it is run.` };
  if (step === 'used') return { text: `The app of ${textOf(tool)} was put into the frames that waited.` };
  const why = dropWords.get(textOf(reason)) ?? textOf(reason);
  return { text: `No frames wait for ${textOf(tool)} any more: ${why}.` };
};

const statusWords: ReadonlyMap<string, string> = new Map([
  ['connecting', 'is being connected'],
  ['ready', 'is ready'],
  ['failed', 'could not be reached'],
  ['exited', 'ended'],
]);

/** The switch of a conversation. */
const toToolCallsSentence = (raw: Record<string, unknown>): Gist => ({
  text:
    raw.toolCalls === 'run'
      ? 'From now on calls of the model run without a question.'
      : 'From now on calls of the model that may do more than read are asked about.',
});

const toServerSentence = (raw: Record<string, unknown>): Gist => {
  const words = statusWords.get(textOf(raw.status)) ?? textOf(raw.status);
  const error = isRecord(raw.error) ? raw.error : undefined;
  const code = textOf(error?.code);
  return {
    text: `The server ${textOf(raw.server)} ${words}${error ? `: ${textOf(error.message)}` : '.'}`,
    ...(code === '' ? {} : { code }),
    isProblem: error !== undefined || raw.status === 'failed' || raw.status === 'exited',
  };
};

/** The way to a server, by the step that failed or by its time. */
const toStartSentence = ({ server, elapsedMs, steps }: Record<string, unknown>): Gist => {
  const failed = Array.isArray(steps)
    ? steps.slice(0, 20).find((step) => isRecord(step) && step.state === 'failed')
    : undefined;
  if (isRecord(failed))
    return {
      text: `The way to ${textOf(server)} ends at "${textOf(failed.name)}": ${textOf(failed.verdict)}`,
      isProblem: true,
    };
  const time = typeof elapsedMs === 'number' ? ` after ${Math.round(elapsedMs)} ms` : '';
  return { text: `Every step to ${textOf(server)} was made${time}.` };
};

/** Files that were saved, documents that changed, and what the page did about it. */
const toWatchSentence = (type: string, raw: Record<string, unknown>): Gist | undefined => {
  const server = textOf(raw.server);
  if (type === 'app-changed') return { text: `The app ${textOf(raw.uri)} of ${server} has changed.` };
  if (type === 'shown-anew') {
    const call = callWords.get(textOf(raw.call)) ?? '';
    return { text: `The app of ${textOf(raw.tool)} was shown anew${call}.` };
  }
  if (type !== 'watch') return undefined;
  const more = typeof raw.more === 'number' ? ` and ${raw.more} more` : '';
  const error = isRecord(raw.error) ? textOf(raw.error.message) : '';
  const step = watchWords.get(textOf(raw.step)) ?? textOf(raw.step);
  const code = isRecord(raw.error) ? textOf(raw.error.code) : '';
  return {
    text: `Saved: ${namesOf(raw.files)}${more}. The server ${server} ${step}${error === '' ? '.' : `: ${error}`}`,
    ...(code === '' ? {} : { code }),
    isProblem: raw.step === 'failed',
  };
};

const callWords: ReadonlyMap<string, string> = new Map([
  ['repeated', ', and its call made again'],
  ['recorded', ' with the recorded result'],
]);

const watchWords: ReadonlyMap<string, string> = new Map([
  ['read', 'went on; its apps were read again'],
  ['restarted', 'was started anew'],
  ['failed', 'did not start'],
]);

const namesOf = (value: unknown): string =>
  Array.isArray(value) ? value.slice(0, 20).map(textOf).join(', ') : '';

/** What an app offers to the model, and what became of a call of it (HOST-100). */
const toAppToolSentence = (type: string, raw: Record<string, unknown>): Gist | undefined => {
  if (type === 'app-tools') {
    const names = namesOf(raw.tools);
    return { text: names === '' ? 'The app offers no tools now.' : `The app offers the tools ${names}.` };
  }
  if (type !== 'app-tool-call') return undefined;
  const outcome = textOf(raw.outcome);
  const isProblem = outcome !== 'result';
  const time = typeof raw.ms === 'number' ? ` after ${Math.round(raw.ms)} ms` : '';
  return {
    text: `The app’s tool ${textOf(raw.name)} was called: ${isProblem ? outcome : 'it answered'}${time}.`,
    ...(isProblem && outcome !== 'tool error' ? { code: outcome } : {}),
    isProblem,
  };
};

/** A step in the life of a session or a server, in one sentence. */
export const toLifecycleSentence = (raw: Record<string, unknown>): Gist => {
  const type = textOf(raw.type);
  if (type === '') return toSignInSentence(raw) ?? toServerSentence(raw);
  if (type === 'server-start') return toStartSentence(raw);
  const ofModel = toModelStepSentence(raw);
  if (ofModel) return ofModel;
  if (isRecord(raw.failure) && (failures.has(type) || raw.status === 'failed')) {
    const { message, hint, code } = raw.failure;
    return { text: `${textOf(message)} ${textOf(hint)}`.trim(), code: textOf(code), isProblem: true };
  }
  if (type === 'session') return { text: `A session for ${textOf(raw.tool)} of ${textOf(raw.server)}.` };
  if (type === 'app-health')
    return {
      text: toHealthText(raw),
      ...(raw.state === 'alive' ? {} : { isProblem: true }),
    };
  if (type === 'request-teardown')
    return {
      text: `The app asked to be closed: ${raw.granted === true ? 'granted' : 'not granted'}.`,
    };
  if (type === 'doctor') return toDoctorSentence(raw);
  if (type === 'warm') return toWarmSentence(raw);
  if (type === 'tool-calls') return toToolCallsSentence(raw);
  if (type === 'policy') return { text: `The policy of ${textOf(raw.resource)} is in force.` };
  if (type === 'teardown') return { text: `The app was asked to end: ${textOf(raw.outcome)}.` };
  if (type === 'teardown-skipped') {
    const cause = textOf(raw.cause);
    return { text: skipWords.get(cause) ?? `The app was not asked to end: ${cause}.` };
  }
  return toWatchSentence(type, raw) ?? toAppToolSentence(type, raw) ?? { text: sentences.get(type) ?? type };
};
