import type { DialogWords } from '@casement/host/dialogs';

const takenBack = 'You can take it back in the Security tab.';

/** The workbench has no conversation: what an app says there is read by nobody. */
export const workbenchWords: Partial<DialogWords> = {
  messageAsker: (server) =>
    `This app of the server ${server} asks to add it to the conversation. No model reads it here; open Chat to have it answered.`,
};

/** Where the page's words differ from those of the host's dialogs: it knows where a choice is taken back. */
export const consentWords: Partial<DialogWords> = {
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
