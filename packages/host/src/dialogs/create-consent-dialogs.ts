import type {
  ConsentAnswer,
  DownloadRequest,
  ExternalUrlRequest,
  LinkRequest,
  MessageRequest,
  SamplingRequest,
  ToolCallRequest,
} from '../core/session-options.js';
import type { QuestionWords } from '../dom/host-words.js';
import { toDialogWords } from './dialog-words.js';
import { openDialog } from './open-dialog.js';
import type { Question } from './question.js';
import {
  toDownloadQuestion,
  toLinkQuestion,
  toMessageQuestion,
  toPageQuestion,
  toSamplingQuestion,
} from './to-question.js';
import { toToolCallQuestion } from './tool-call-question.js';

/** How the dialogs look and what they offer. */
export interface ConsentDialogOptions {
  /** Where a dialog is put; the page's body unless given. The theme and style variables in force there are its own. */
  readonly container?: HTMLElement;
  /** The words of the dialogs, for other languages; alone, or as the group `dialogs` among all words of the host. */
  readonly words?: QuestionWords;
  /** Whether "always" is offered; the session remembers it (`consents`). True unless said otherwise. */
  readonly memory?: boolean;
}

/** What the session says besides; the dialog goes away when nobody waits for its answer any more. */
interface AskOptions {
  readonly signal?: AbortSignal;
}

/** The consent hooks of mountApp, ready to be passed on. */
export interface ConsentDialogs {
  onOpenLink(request: LinkRequest, options?: AskOptions): Promise<ConsentAnswer>;
  /** Consent alone: to append the message is the embedder's part, after a yes. */
  onMessage(
    request: MessageRequest & { readonly remembered?: true },
    options?: AskOptions,
  ): Promise<ConsentAnswer>;
  onDownload(request: DownloadRequest, options?: AskOptions): Promise<ConsentAnswer>;
  onSampling(request: SamplingRequest, options?: AskOptions): Promise<ConsentAnswer>;
  onExternalUrl(request: ExternalUrlRequest, options?: AskOptions): Promise<ConsentAnswer>;
  onToolCall(request: ToolCallRequest, options?: AskOptions): Promise<ConsentAnswer>;
}

// One for the page, whoever made it: a second dialog would hide the first (T20).
let isOpen = false;

/** Whether a question waits for its answer. */
export const isAsking = (): boolean => isOpen;

/**
 * Creates consent hooks that ask in dialogs of the page, one at a time. While a dialog is open, every other question is
 * answered with no (E08).
 */
export const createConsentDialogs = (options: ConsentDialogOptions = {}): ConsentDialogs => {
  const words = toDialogWords(options.words);

  const ask = async (question: Question, signal: AbortSignal | undefined): Promise<ConsentAnswer> => {
    if (isOpen || signal?.aborted) return false;
    isOpen = true;
    try {
      const { always, ...once } = question;
      const isOffered = always !== undefined && (options.memory ?? true);
      return await openDialog(isOffered ? question : once, {
        container: options.container ?? document.body,
        words,
        signal,
      });
    } finally {
      isOpen = false;
    }
  };

  return {
    onOpenLink: (request, { signal } = {}) => ask(toLinkQuestion(request, words), signal),
    onMessage: async (request, { signal } = {}) =>
      request.remembered === true ? true : ask(toMessageQuestion(request, words), signal),
    onDownload: (request, { signal } = {}) => ask(toDownloadQuestion(request, words), signal),
    onSampling: (request, { signal } = {}) => ask(toSamplingQuestion(request, words), signal),
    onExternalUrl: (request, { signal } = {}) => ask(toPageQuestion(request, words), signal),
    onToolCall: (request, { signal } = {}) => ask(toToolCallQuestion(request, words), signal),
  };
};
