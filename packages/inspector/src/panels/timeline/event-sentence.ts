import type { RecordingEntry } from '@casement/protocol';
import { isBlockedEval } from '@casement/protocol/reports';
import { isRecord } from '@casement/protocol/start';
import { toEvidenceSentence } from './evidence-sentence.js';
import type { Gist } from './message-gist.js';
import { toLifecycleSentence } from './lifecycle-sentence.js';

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 400) : '';

const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

const toDecision = (raw: Record<string, unknown>): Gist => {
  const subject = textOf(raw.url ?? raw.name ?? raw.uri ?? raw.mode ?? raw.host);
  const word = raw.allow === true ? 'Allowed' : 'Refused';
  const text = join(
    subject === '' ? `${word}:` : `${word} ${subject}:`,
    textOf(raw.reason),
    textOf(raw.hint),
  );
  return { text, ...codeOf(raw), isProblem: raw.allow !== true };
};

const toViolation = (raw: Record<string, unknown>): Gist => {
  const place = textOf(raw.sourceFile) && `at ${textOf(raw.sourceFile)}:${textOf(raw.line)}`;
  const blocked = textOf(raw.blockedUri) || 'something without an address';
  const isEval = isBlockedEval({ blockedUri: blocked });
  return {
    text: join(blocked, 'was blocked', place && `(${place})`),
    code: textOf(raw.directive),
    // Libraries try it and do without. Whom it stops throws or fails, which has entries of its own.
    ...(isEval && { isProblem: false }),
  };
};

const dropReasons: Record<string, string> = {
  flood: 'the app sent more than it may',
  'server-flood': 'the server sent more than is kept',
  'too-large': 'larger than the limit',
  'not-json-rpc': 'no JSON-RPC message',
  reserved: 'a name only the sandbox may use',
  'wrong origin': 'came from another origin than the sandbox',
  'out of order': 'did not fit the step the session was in',
};

const toDropped = (raw: Record<string, unknown>): Gist => {
  const reason = textOf(raw.reason);
  const count = typeof raw.count === 'number' ? raw.count : 1;
  const what = join(textOf(raw.method ?? raw.what ?? raw.origin), toLimit(raw));
  const number = count === 1 ? '1 message was' : `${count} messages were`;
  const text = join(`${number} not passed on: ${dropReasons[reason] ?? reason}`, what && `(${what})`);
  return { text, code: reason };
};

const toLimit = ({ bytes, limit }: Record<string, unknown>): string =>
  typeof bytes === 'number' ? `${bytes} bytes, limit ${textOf(limit)}` : '';

const toFinding = (raw: Record<string, unknown>): Gist => {
  if (raw.code === 'domain-dropped' && raw.message === undefined) {
    return {
      text: `${textOf(raw.field)}: ${textOf(raw.value)} ${textOf(raw.reason)}.`,
      code: 'domain-dropped',
    };
  }
  if (raw.code === 'focus-taken') {
    return { text: 'The app took the keyboard focus without an action of the user.', code: 'focus-taken' };
  }
  return {
    text: join(textOf(raw.message ?? raw.method), textOf(raw.fix)),
    ...codeOf(raw),
    ...(raw.severity === 'note' && { isProblem: false }),
  };
};

const codeOf = ({ code }: Record<string, unknown>): { code?: string } => {
  const text = textOf(code);
  return text === '' ? {} : { code: text };
};

/** What happened, in one sentence, for everything that is not a message. */
export const toSentence = (kind: RecordingEntry['kind'], raw: unknown): Gist => {
  if (!isRecord(raw)) return { text: textOf(raw) };
  switch (kind) {
    case 'lifecycle':
      return toLifecycleSentence(raw);
    case 'decision':
      return toDecision(raw);
    case 'violation':
      return toViolation(raw);
    case 'dropped':
      return toDropped(raw);
    case 'finding':
      return toFinding(raw);
    case 'evidence':
      return toEvidenceSentence(raw);
    case 'invalid':
      return { text: join(textOf(raw.reason) || 'This is no JSON-RPC message.', textOf(raw.text)) };
    default:
      return { text: join(textOf(raw.message), textOf(raw.hint)), ...codeOf(raw) };
  }
};
