import type { MountAppOptions } from '@casement/host';
import type { Consent } from './consent.js';
import {
  toDownloadQuestion,
  toLinkQuestion,
  toMessageQuestion,
  toPageQuestion,
  toSamplingQuestion,
  toToolCallQuestion,
} from './consent-questions.js';
import type { RememberedConsents } from './remembered-consents.js';

/** What apps are not let do without the user. */
export type AppConsents = Pick<MountAppOptions, 'consents'> &
  Required<
    Pick<
      MountAppOptions,
      'onOpenLink' | 'onExternalUrl' | 'onMessage' | 'onDownload' | 'onSampling' | 'onToolCall'
    >
  >;

/** The page's questions to the user as an app's host asks them; what was answered for good is remembered. */
export const createAppConsents = (consent: Consent, remembered: RememberedConsents): AppConsents => ({
  consents: remembered,
  onOpenLink: (request, { signal }) => consent.ask(toLinkQuestion(request), signal),
  onExternalUrl: (request, { signal }) => consent.ask(toPageQuestion(request), signal),
  onMessage: async (request, { signal }) =>
    request.remembered ?? consent.ask(toMessageQuestion(request), signal),
  onDownload: (request, { signal }) => consent.ask(toDownloadQuestion(request), signal),
  onSampling: (request, { signal }) => consent.ask(toSamplingQuestion(request), signal),
  onToolCall: (request, { signal }) => consent.ask(toToolCallQuestion(request), signal),
});
