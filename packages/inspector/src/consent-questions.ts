import type {
  DownloadRequest,
  ExternalUrlRequest,
  LinkRequest,
  MessageRequest,
  SamplingRequest,
  ToolCallRequest,
} from '@casement/host';
import type { ConsentQuestion } from './consent.js';
import { toByteSize } from './quantity.js';

const warningTexts: Record<LinkRequest['warnings'][number], string> = {
  'look-alike':
    'This name is written in letters that can look like another name. Compare it with the one you expect.',
  'private-address': 'This address is on your own machine or network.',
};

const toWarnings = (links: readonly Pick<LinkRequest, 'warnings'>[]): Pick<ConsentQuestion, 'warnings'> => {
  const names = [...new Set(links.flatMap(({ warnings }) => warnings))];
  return names.length === 0 ? {} : { warnings: names.map((name) => warningTexts[name]) };
};

/** Asks whether an app may open a page; the host comes first so that a long address cannot hide it (E09). */
export const toLinkQuestion = (request: LinkRequest): ConsentQuestion => ({
  title: 'Open this page?',
  subject: request.host,
  asker: `An app of the server ${request.server} asks to open it in a new tab.`,
  ...toWarnings([request]),
  detail: request.url,
  allow: 'Open',
  // Nobody should say always to a name that may not be what it looks like.
  ...(request.warnings.length === 0
    ? { always: `Apps of ${request.server} then open pages of this site without asking.` }
    : {}),
});

/** Asks whether a page elsewhere may be the app; each time, as nothing of the server stands between it and the user. */
export const toPageQuestion = (request: ExternalUrlRequest): ConsentQuestion => ({
  title: 'Show this page as the app?',
  subject: request.host,
  asker: `The server ${request.server} answered with it. It is loaded from its site, which learns that you look at it.`,
  ...toWarnings([request]),
  detail: request.url,
  allow: 'Show it',
});

const toBlockText = (block: object): string =>
  'text' in block && typeof block.text === 'string'
    ? block.text
    : `[${'type' in block ? String(block.type) : 'unknown'}]`;

/** Asks whether an app may speak in the user's name. */
export const toMessageQuestion = ({ content, app }: MessageRequest): ConsentQuestion => ({
  title: 'Send this message as yours?',
  subject: app.info?.name ?? app.resource,
  asker: `This app of the server ${app.server} asks to add a message to the conversation.`,
  detail: content.map(toBlockText).join('\n'),
  allow: 'Send',
  always: `Apps of ${app.server} then add messages in your name without asking.`,
});

/** Asks whether an app may have an answer of the model; what it would ask is shown whole. */
export const toSamplingQuestion = ({ app, params }: SamplingRequest): ConsentQuestion => ({
  title: 'Let this app ask the model?',
  subject: app.info?.name ?? app.resource,
  asker: `This app of the server ${app.server} asks for an answer of at most ${params.maxTokens} tokens.`,
  detail: [
    ...(params.systemPrompt ? [`system: ${params.systemPrompt}`] : []),
    ...params.messages.map(
      ({ role, content }) =>
        `${role}: ${(Array.isArray(content) ? content : [content]).map(toBlockText).join('\n')}`,
    ),
  ].join('\n\n'),
  allow: 'Ask the model',
  always: `Apps of ${app.server} then ask the model without asking you.`,
});

const claimTexts: Record<ToolCallRequest['claims'][number], string> = {
  'may-destroy': 'The server says: this may destroy data.',
  changes: 'The server says: this changes things. It does not say that nothing is destroyed.',
  unclear: 'What the server says of this tool contradicts itself or cannot be read. It may destroy data.',
  nothing: 'The server does not say what this tool does. It may destroy data.',
  'reads-only': 'The server says: this only reads.',
  'destroys-nothing': 'The server says: this destroys nothing.',
  'open-world': 'The server says: this reaches systems outside of it.',
};

/** Asks whether an app may call a tool of its server; all of the arguments are shown. */
export const toToolCallQuestion = (request: ToolCallRequest): ConsentQuestion => {
  const { tool, server, app, claims, reach } = request;
  return {
    title: 'Let this app call this tool?',
    subject: tool.title === undefined ? tool.name : `${tool.title} (${tool.name})`,
    asker: `The app ${app?.info?.name ?? app?.resource ?? ''} asks to call it. Both are of the server ${server}.`,
    warnings: claims.map((claim) => claimTexts[claim]),
    detail: JSON.stringify(request.arguments, undefined, 2),
    allow: 'Call it',
    ...(reach === 'app'
      ? {}
      : {
          always: `Apps of ${server} then call ${tool.name} without asking, while it describes itself the same.`,
        }),
  };
};

const toFileLine = ({ name, mimeType, bytes }: DownloadRequest['files'][number]): string =>
  `${name} · ${mimeType} · ${toByteSize(bytes)}`;

/** Asks whether an app may save files; names and sizes come from the host, not from the app. */
export const toDownloadQuestion = ({ server, files, links }: DownloadRequest): ConsentQuestion => {
  const [first] = files;
  const count = files.length + links.length;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    title: count === 1 ? 'Save this file?' : `Save these ${count} files?`,
    subject: count === 1 ? (first?.name ?? links[0]?.host ?? '') : `${count} files, ${toByteSize(bytes)}`,
    asker: `An app of the server ${server} asks to save ${count === 1 ? 'it' : 'them'} on your machine.`,
    ...toWarnings(links),
    detail: [...files.map(toFileLine), ...links.map(({ url }) => `opened as a link: ${url}`)].join('\n'),
    allow: 'Save',
    always: `Apps of ${server} then save files without asking.`,
  };
};
