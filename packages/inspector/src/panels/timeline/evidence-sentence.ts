import { isRecord } from '@casement/protocol/start';
import type { Gist } from './message-gist.js';

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 400) : '';

const stageNames: ReadonlyMap<unknown, string> = new Map([
  ['found', 'Found'],
  ['advertised', 'Advertised'],
  ['read', 'Read'],
  ['framed', 'Framed'],
  ['loaded', 'Loaded'],
  ['handshake', 'Handshake'],
  ['fed', 'Fed'],
  ['painted', 'Painted'],
]);

const verdictWords: ReadonlyMap<unknown, string> = new Map([
  ['passed', 'passed'],
  ['doubtful', 'needs a look'],
  ['failed', 'failed'],
  ['waiting', 'is under way'],
  ['open', 'is not reached any more'],
  ['unknown', 'is not known any more'],
]);

/** What the doctor said of a stage when its verdict changed. */
export const toDoctorSentence = ({ stage, verdict, seen, cause, fix }: Record<string, unknown>): Gist => {
  const name = stageNames.get(stage) ?? textOf(stage);
  const parts = [
    `${name} ${verdictWords.get(verdict) ?? textOf(verdict)}.`,
    textOf(seen),
    textOf(cause),
    fix === undefined ? '' : `Fix: ${textOf(fix)}`,
  ];
  return {
    text: parts.filter((part) => part !== '').join(' '),
    isProblem: verdict === 'failed' || verdict === 'doubtful',
  };
};

const toPlace = ({ sourceFile, line }: Record<string, unknown>): string =>
  textOf(sourceFile) === '' ? '' : ` (${[textOf(sourceFile), textOf(line)].filter(Boolean).join(':')})`;

/** The head of a value that was logged. */
const toValueText = (value: unknown): string => (isRecord(value) ? textOf(value.text) : textOf(value));

const toConsole = (raw: Record<string, unknown>): Gist => {
  const values = Array.isArray(raw.values) ? raw.values.slice(0, 10).map(toValueText).join(' ') : '';
  const times = typeof raw.count === 'number' && raw.count > 1 ? ` (${raw.count} times)` : '';
  return {
    text: `console.${textOf(raw.level)}: ${values}${times}${toPlace(raw)}`,
    isProblem: raw.level === 'error',
  };
};

const toLoad = (raw: Record<string, unknown>): Gist => {
  const status = raw.status === undefined ? 'the browser does not say why' : `status ${textOf(raw.status)}`;
  return {
    text: `${textOf(raw.url)} did not load (${textOf(raw.element)}, ${status})${toPlace(raw)}`,
    isProblem: true,
  };
};

/** What the page of an app reported of itself. */
export const toEvidenceSentence = (raw: Record<string, unknown>): Gist => {
  switch (raw.kind) {
    case 'console':
      return toConsole(raw);
    case 'load-failed':
      return toLoad(raw);
    case 'api':
      return {
        text: `The app ${raw.outcome === 'refused' ? 'was refused' : 'used'} ${textOf(raw.api)}${toPlace(raw)}.`,
        // Libraries try eval and do without. Whom it stops throws, which has an entry of its own.
        isProblem: raw.outcome === 'refused' && raw.api !== 'eval',
      };
    case 'long-task':
      return { text: `A script of the app ran for ${textOf(raw.ms)} ms without a pause.` };
    case 'painted':
      return { text: 'The app painted something for the first time.' };
    case 'layout':
      return {
        text: `The app is ${textOf(raw.contentWidth)} × ${textOf(raw.contentHeight)} px in a frame ${textOf(raw.width)} px wide, with ${textOf(raw.boxes)} boxes to be seen.`,
      };
    default:
      return { text: textOf(raw.kind) };
  }
};
