import type { DoctorFinding, DoctorStage, StageReport, Witness } from '@casement/checks/doctor';

/** What the stages are called on the screen. */
export const stageNames: Record<DoctorStage, string> = {
  found: 'Found',
  advertised: 'Advertised',
  read: 'Read',
  framed: 'Framed',
  loaded: 'Loaded',
  handshake: 'Handshake',
  fed: 'Fed',
  painted: 'Painted',
};

/** What a stage stands for, in one line. */
export const stageMeanings: Record<DoctorStage, string> = {
  found: 'the tool links an app',
  advertised: 'the server was told that apps are shown here',
  read: 'the server gave the document of the app',
  framed: 'the sandbox opened, with its policy',
  loaded: 'the document and what it needs came, and no script broke',
  handshake: 'the app connected to the host',
  fed: 'the app was given its input and the result',
  painted: 'something of the app can be seen',
};

/** How a stage went, in words. */
export const verdictWords: Record<StageReport['verdict'], string> = {
  passed: 'passed',
  doubtful: 'needs a look',
  failed: 'failed',
  waiting: 'under way',
  open: 'not reached',
  unknown: 'not known',
};

/** The sign before each verdict; the word is always beside it, if only to be heard. */
export const verdictMarks: Record<StageReport['verdict'], string> = {
  passed: '✓',
  doubtful: '!',
  failed: '✕',
  waiting: '●',
  open: '○',
  unknown: '?',
};

/** Who saw it. What an app says of itself it may have made up. */
export const witnessWords: Record<Witness, string> = {
  host: 'seen by the host',
  browser: 'seen by the browser',
  app: 'the app says so',
};

/** The same as a sentence of its own. */
export const witnessSentences: Record<Witness, string> = {
  host: 'Seen by the host.',
  browser: 'Seen by the browser.',
  app: 'The app says so: its own page reported it.',
};

/** The headings of findings, the gravest first. */
export const severityTitles: readonly (readonly [DoctorFinding['severity'], string])[] = [
  ['error', 'Errors'],
  ['warning', 'Warnings'],
  ['note', 'Notes'],
];
