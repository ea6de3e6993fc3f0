import { redact } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { CasementError, isRecord } from '@casement/protocol/start';
import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai';
import { readReason } from '../reading/read-reason.js';
import type { ModelConfig } from './model-config.js';

const MAX_REASON_CHARS = 400;

/** The provider's text without the key, which some repeat. It is cut last, so that no part of a key is left. */
const toSafeText = (text: string, { apiKey }: ModelConfig): string => {
  // Without replacement characters: one in the middle of the key would hide it from the search below.
  let clean = toPrintable(text, 16_000, { mode: 'replace' }).replaceAll('\ufffd', '');
  // Shorter ones, as local servers take, hide nothing and would tear words apart.
  if (apiKey !== undefined && apiKey.length >= 6) {
    for (const form of new Set([apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)])) {
      clean = clean.replaceAll(form, '[key]');
    }
  }
  return toPrintable(String(redact(clean)), MAX_REASON_CHARS, { mode: 'replace' });
};

/** Providers also answer with texts and plain objects. */
const toReason = (error: unknown): string => {
  if (typeof error === 'string') return error;
  if (error instanceof Error) return readReason(error);
  return isRecord(error) && typeof error.message === 'string' ? error.message : 'no reason was given';
};

const hints = new Map<number, string>([
  [
    400,
    'The reason names what the provider does not take: a tool, a picture, or too much at once. Leave that out.',
  ],
  [404, 'Check the name of the model and the address of its provider.'],
  [413, 'The conversation is too long for this model: begin a new one.'],
  [429, 'Wait a little, or look at the limits of your plan; then try again.'],
]);

const toAnsweredFailure = (status: number, reason: string, { label }: ModelConfig): CasementError =>
  status === 401 || status === 403
    ? // The provider's own text tends to repeat the key, in part or whole, and says no more than this.
      new CasementError('model-refused', `The provider of "${label}" refused the key (HTTP ${status}).`, {
        hint: 'Start casement with a key that is valid for this model.',
      })
    : new CasementError('model-failed', `The provider of "${label}" answered HTTP ${status}: ${reason}`, {
        hint: hints.get(status) ?? 'Try again; if it stays, see what the provider says about its state.',
      });

const cutOff = ({ label }: ModelConfig, reason = ''): CasementError =>
  new CasementError('model-failed', `The answer of "${label}" broke off before it was complete${reason}.`, {
    hint: 'Try again.',
  });

/** Maps anything thrown while a model was asked to one named failure; no cause is kept, as it carries the key. */
export const toModelFailure = (error: unknown, config: ModelConfig): CasementError => {
  if (error instanceof CasementError) return error;
  const reason = toSafeText(toReason(error), config);
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return new CasementError(
      'model-failed',
      `The provider of "${config.label}" answered something that is not the protocol.`,
      { hint: 'Check that the address is that of an API of this kind.' },
    );
  }
  if (InvalidResponseDataError.isInstance(error)) return cutOff(config);
  if (APICallError.isInstance(error)) {
    const { statusCode } = error;
    // It had begun well.
    if (statusCode !== undefined && statusCode < 400) {
      return cutOff(config, ` (${toSafeText(toReason(error.cause), config)})`);
    }
    if (statusCode !== undefined) return toAnsweredFailure(statusCode, reason, config);
    return new CasementError('model-unreachable', `"${config.label}" could not be reached: ${reason}`, {
      hint: "See whether the model's server is running and its address is right.",
    });
  }
  return new CasementError('model-failed', `The provider of "${config.label}" gave up: ${reason}`, {
    hint: 'Try again.',
  });
};

/** The failure of an answer that ended without a word about why. */
export const toCutOff = (config: ModelConfig): CasementError => cutOff(config);
