import type { DialogWords } from '../dialogs/dialog-words.js';
import type { ChromeWords } from './chrome/chrome-words.js';
import type { FailureWords } from './failure-text.js';

/**
 * Every word of the host, in one object that all of its doors take: mountApp, `<mcp-app>` (`view.words`), `<McpApp>`, the
 * consent dialogs, the chat. Each takes the groups it has words of; what is left out is said in English.
 */
export interface HostWords {
  /** What stands around an app. */
  readonly chrome?: Partial<ChromeWords>;
  /** The questions of the consent dialogs. */
  readonly dialogs?: Partial<DialogWords>;
  /** Failures by their code, instead of the neutral sentence. */
  readonly failures?: FailureWords;
}

/** What mountApp takes: the groups; words of the chrome may also stand beside them. */
export type AppWords = HostWords & Partial<ChromeWords>;

/** What the consent dialogs take: the groups; words of the dialogs may also stand beside them. */
export type QuestionWords = HostWords & Partial<DialogWords>;
