import type { HostWords } from '@casement/host';
import type { ConsentDialogs } from '@casement/host/dialogs';
import { createConsentDialogs, createConsentMemory } from '@casement/host/dialogs';

const takenBack = 'You can take it back in the Security tab.';

/** The workbench has no conversation: what an app says there is read by nobody. */
const workbenchWords: NonNullable<HostWords['dialogs']> = {
  messageAsker: (server) =>
    `This app of the server ${server} asks to add it to the conversation. No model reads it here; open Chat to have it answered.`,
};

/** Where the page's words differ from those of the host's dialogs: it knows where a choice is taken back. */
const consentWords: NonNullable<HostWords['dialogs']> = {
  pageTitle: 'Show this page as the app?',
  pageAsker: (server) =>
    `The server ${server} answered with it. It is loaded from its site, which learns that you look at it.`,
  linkAlways: (site, server) => `Always open links to ${site} for ${server}. ${takenBack}`,
  messageAlways: (server) => `Always send messages of ${server} without asking. ${takenBack}`,
  downloadAlways: (server) => `Always save files of ${server} without asking. ${takenBack}`,
  samplingAlways: (server) => `Always let apps of ${server} ask the model. ${takenBack}`,
  toolAlways: (tool, server) =>
    `Always let apps of ${server} call ${tool}, as long as it describes itself the same. ${takenBack}`,
};

/** The consent hooks of apps, and the memory for answers with "always". */
export type AppConsents = ConsentDialogs & { readonly consents: ReturnType<typeof createConsentMemory> };

/** What the page asks the user on behalf of apps. */
export interface PageConsents {
  /** The remembered choices of the user, for apps and for calls of the model. */
  readonly choices: ReturnType<typeof createConsentMemory>;
  /** The questions of apps in the chat. */
  readonly chat: AppConsents;
  /** The questions of the app on the stage. */
  readonly stage: AppConsents;
}

/** Creates the page's questions, over one memory that this browser keeps. */
export const createPageConsents = (storage: Storage): PageConsents => {
  const choices = createConsentMemory(storage);
  return {
    choices,
    chat: { consents: choices, ...createConsentDialogs({ words: consentWords }) },
    stage: { consents: choices, ...createConsentDialogs({ words: { ...consentWords, ...workbenchWords } }) },
  };
};
