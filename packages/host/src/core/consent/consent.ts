import { CasementError } from '@casement/protocol/start';
import type { ConsentKey } from './consent-memory.js';
import { pageMemory } from './page-memory.js';
import type { DenialCode } from '../policy/policy.js';
import { refuseClosing, toDenial } from '../policy/policy.js';
import { createRateLimit, refuseRate } from '../policy/rate-limit.js';
import type { ConsentAnswer, AskContext } from '../session-options.js';
import type { HandlerContext } from '../handlers/handler-context.js';

/** Something an app wants that is the user's to decide. */
interface Question {
  readonly method: string;
  readonly kind: ConsentKey['kind'];
  /** What a remembered yes is limited to, besides the server. */
  readonly scope?: string;
  readonly denial: DenialCode;
  /** For the recording. */
  readonly details: Record<string, unknown>;
  /** Of the request that asks. */
  readonly signal: AbortSignal;
  /** Why no question is needed, if so. A remembered yes is also a reason, unless `alwaysAsk`. */
  readonly grantedBecause?: string | undefined;
  readonly alwaysAsk?: boolean;
  /** A yes that was given before counts only just after the user did something. */
  readonly needsActivation?: boolean;
  ask(options: AskContext): Promise<ConsentAnswer>;
  /** Called instead of `ask` when a yes was remembered and the embedder itself has to act on it. */
  onAlreadyGranted?(options: AskContext): Promise<ConsentAnswer>;
}

/** Whether the user wants it; throws when it may not even be asked. */
export type Consent = (question: Question) => Promise<boolean>;

/**
 * Creates the consent check of one session. The page shows one question at a time (T20), and a session may ask at most
 * three unwanted questions in ten seconds (E08).
 *
 * Every question is counted when it is asked. It is taken off the count only if the user says yes and had acted in the
 * app before. So a no, a dismissed dialog, a request that the app took back and a question without any action of the
 * user all count. One click pays for one question.
 */
export const createConsent = (context: HandlerContext): Consent => {
  const { options, recorder, surface } = context;
  const unwanted = createRateLimit(3, 10_000);
  let lastAskedUntil: number | undefined;
  const silentGrants = createRateLimit(10, 10_000);
  const memory = options.consents ?? pageMemory;
  const toKey = ({ kind, scope = '' }: Question): ConsentKey => ({
    kind,
    server: options.server.identity,
    scope,
  });

  /**
   * An app that is being closed is out of sight: it can save, but nothing of it reaches the user any more. Nor does what
   * an app took back. Looked at again after every wait before the user is reached.
   */
  const refuseWhenOver = ({ method, details, signal }: Question): void => {
    if (context.closing.aborted) context.enforce(method, refuseClosing, details);
    if (signal.aborted) throw toCalledOff(signal);
  };

  const toSignal = ({ signal }: Question): AbortSignal => AbortSignal.any([signal, context.closing]);

  const findGrant = async (question: Question): Promise<string | undefined> => {
    if (question.needsActivation && !(await surface.hasUserActivation())) return undefined;
    if (question.grantedBecause !== undefined) return question.grantedBecause;
    return !question.alwaysAsk && memory.has(toKey(question)) ? 'The user said always.' : undefined;
  };

  const ask = async (question: Question): Promise<ConsentAnswer> => {
    const { method, details } = question;
    const signal = toSignal(question);
    const since = lastAskedUntil;
    const isAfterAction = await surface.hasUserActivation(since);
    // Another question may have been asked meanwhile: the action has paid for that one.
    const isUsersWish = isAfterAction && since === lastAskedUntil;
    refuseWhenOver(question);
    const done = openQuestion();
    if (!done) context.enforce(method, refuseRate(`${method}, while a question is open`), details);
    if (!unwanted.take()) {
      done?.();
      context.enforce(method, refuseRate(method), details);
    }
    const answer = Promise.resolve()
      .then(() => question.ask({ signal }))
      .finally(done);
    // A document that is gone leaves no question behind, even if the embedder goes on showing it.
    signal.addEventListener('abort', () => isGone(signal) && done?.(), { once: true });
    try {
      const given = await context.during('question', () => untilAborted(answer, signal));
      if (isUsersWish && isYes(given)) unwanted.giveBack();
      return given;
    } finally {
      lastAskedUntil = performance.now();
    }
  };

  return async (question) => {
    const { method, details, denial } = question;
    refuseWhenOver(question);
    const grantedBecause = await findGrant(question);
    refuseWhenOver(question);
    if (grantedBecause !== undefined && !silentGrants.take())
      context.enforce(method, refuseRate(method), details);
    const answer =
      grantedBecause === undefined
        ? await ask(question)
        : ((await question.onAlreadyGranted?.({ signal: toSignal(question) })) ?? true);
    const isGranted = isYes(answer);
    if (!context.isServing()) throw new CasementError('session-closed', 'The app was closed meanwhile.');
    recorder.decision(
      method,
      isGranted ? { allow: true, reason: grantedBecause ?? 'The user agreed.' } : toDenial(denial),
      details,
    );
    if (answer === 'always' && !question.alwaysAsk) memory.remember(toKey(question));
    return isGranted;
  };
};

/** Whatever else an embedder's hook gives is a no. */
const isYes = (answer: ConsentAnswer): boolean => answer === true || answer === 'always';

const isGone = (signal: AbortSignal): boolean =>
  signal.reason instanceof CasementError && signal.reason.code === 'session-closed';

const toCalledOff = (signal: AbortSignal): CasementError =>
  isGone(signal)
    ? new CasementError('session-closed', 'The app was closed meanwhile.')
    : new CasementError('cancelled', 'The app took its request back.');

/** Rejects as soon as the app takes its request back or is closed; a later answer of the user is ignored. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(toCalledOff(signal));
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });

let openedQuestion: symbol | undefined;

/** Takes the page's one place for a question (T20, E08); undefined while another question is open, of any app. */
const openQuestion = (): (() => void) | undefined => {
  if (openedQuestion) return undefined;
  const mine = Symbol('question');
  openedQuestion = mine;
  return () => {
    if (openedQuestion === mine) openedQuestion = undefined;
  };
};
