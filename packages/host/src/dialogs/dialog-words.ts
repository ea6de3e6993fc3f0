import type { DialogWords, QuestionWords } from '../dom/host-words.js';

const units = ['bytes', 'KB', 'MB', 'GB'] as const;

const toBytes = (count: number): string => {
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(count, 1)) / Math.log(1024)));
  const value = count / 1024 ** step;
  return `${step === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
};

/** The words unless the embedder has others. */
const defaultDialogWords: DialogWords = {
  cancel: 'Cancel',
  linkTitle: 'Open this page?',
  linkAsker: (server) => `An app of the server ${server} asks to open it in a new tab.`,
  linkAllow: 'Open',
  linkAlways: (site, server) => `Always open links to ${site} for ${server}`,
  pageTitle: 'Show this page inside the conversation?',
  pageAsker: (server) =>
    `The server ${server} answered with it. It is loaded from there, can see that you look at it, and can ask for what an app of this server may ask for.`,
  pageAllow: 'Show it',
  mailTitle: 'Write to this address?',
  mailAsker: (server) => `An app of the server ${server} asks to start a mail.`,
  lookAlike: 'This name has letters that can look like another name. Compare it with the one you expect.',
  privateAddress: 'This address is on your own machine or network.',
  longName: 'This name is very long. Whose page it is stands at its end, on a line of its own.',
  messageTitle: 'Send this message as yours?',
  messageAsker: (server) => `This app of the server ${server} asks to add it to the conversation.`,
  messageAllow: 'Send',
  messageAlways: (server) => `Always send messages of ${server} without asking`,
  downloadTitle: (count) => (count === 1 ? 'Save this file?' : `Save these ${count} files?`),
  downloadAsker: (server) => `An app of the server ${server} asks to save to your downloads.`,
  downloadAllow: 'Save',
  downloadAlways: (server) => `Always save files of ${server} without asking`,
  downloadLink: (host) => `opens at ${host}`,
  samplingTitle: 'Let this app ask your model?',
  samplingAsker: (server, tokens) =>
    `This app of the server ${server} asks for an answer of up to ${tokens.toLocaleString('en')} tokens, and will read it.`,
  samplingAllow: 'Ask the model',
  samplingAlways: (server) => `Always let apps of ${server} ask the model`,
  toolTitle: 'Let this app call this tool?',
  toolTitleOfModel: 'Let the model call this tool?',
  toolAsker: (server, app) => `The app ${app} asks to call it. Both are of the server ${server}.`,
  toolAskerOfModel: (server, app) =>
    app === undefined
      ? `The model asks to call it. It is a tool of the server ${server}.`
      : `The model asks to call it. The app ${app} of the server ${server} offers it.`,
  toolAllow: 'Call it',
  toolAlways: (tool, server) =>
    `Always let apps of ${server} call ${tool}, as long as it describes itself the same`,
  toolAlwaysOfModel: (tool, server) =>
    `Always let the model call ${tool} of ${server}, as long as it describes itself the same`,
  toolClaims: {
    'may-destroy': 'The server says: this may destroy data.',
    changes: 'The server says: this changes things. It does not say that nothing is destroyed.',
    unclear: 'What the server says of this tool contradicts itself or cannot be read. It may destroy data.',
    nothing: 'The server does not say what this tool does. It may destroy data.',
    'reads-only': 'The server says: this only reads.',
    'destroys-nothing': 'The server says: this destroys nothing.',
    'open-world': 'The server says: this reaches systems outside of it.',
  },
  toolReach: 'A yes holds for every tool this app calls that says nothing of itself, while the app is shown.',
  toolArguments: 'Arguments:',
  toolNoArguments: 'Without arguments.',
  speaker: (role) => `${role}:`,
  samplingSettings: 'settings:',
  picture: (mimeType, bytes) => `[picture, ${mimeType}, ${toBytes(bytes)}]`,
  file: (mimeType, bytes) => [mimeType, toBytes(bytes)].filter(Boolean).join(', '),
  cut: (characters) => `Only the beginning of ${characters.toLocaleString('en')} characters is in sight.`,
  cutPictures: (count) => `Not all of ${count} pictures are in sight.`,
  showAll: 'Show all',
  contents: 'What it is about',
};

/** The words of the dialogs with those that an embedder has. */
export const toDialogWords = ({ chrome, dialogs, failures, ...own }: QuestionWords = {}): DialogWords => {
  void [chrome, failures];
  return { ...defaultDialogWords, ...own, ...dialogs };
};
