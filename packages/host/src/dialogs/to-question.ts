import type {
  DownloadRequest,
  ExternalUrlRequest,
  LinkRequest,
  MessageRequest,
  SamplingRequest,
} from '../core/session-options.js';
import { toPrintable } from '@casement/protocol/basics';
import type { DialogWords } from './dialog-words.js';
import type { Question } from './question.js';

const maxName = 200;
const maxText = 20_000;

/** Asks whether an app may open a page, or start a mail. */
export const toLinkQuestion = (
  { url, host, server, warnings }: LinkRequest,
  words: DialogWords,
): Question => {
  const name = toPrintable(server, maxName);
  const isMail = /^mailto:/i.test(url);
  const site = isMail ? host : new URL(url).origin;
  return {
    title: isMail ? words.mailTitle : words.linkTitle,
    subject: toPrintable(host, 300),
    asker: isMail ? words.mailAsker(name) : words.linkAsker(name),
    warnings: toWarnings(warnings, words),
    detail: toPrintable(url, 4_000),
    allow: words.linkAllow,
    // Nobody should say always to a name that may not be what it looks like.
    ...(warnings.length === 0 ? { always: words.linkAlways(toPrintable(site, maxName), name) } : {}),
  };
};

/** Asks whether a page elsewhere may be the app. It is asked for each time: nothing stands between it and the user then. */
export const toPageQuestion = (
  { url, host, server, warnings }: ExternalUrlRequest,
  words: DialogWords,
): Question => ({
  title: words.pageTitle,
  subject: toPrintable(host, 300),
  asker: words.pageAsker(toPrintable(server, maxName)),
  warnings: toWarnings(warnings, words),
  detail: toPrintable(url, 4_000),
  allow: words.pageAllow,
});

/** Asks whether an app may speak in the user's name; the text stands under the app's name, never alone (T21). */
export const toMessageQuestion = ({ content, app }: MessageRequest, words: DialogWords): Question => {
  const server = toPrintable(app.server, maxName);
  return {
    title: words.messageTitle,
    subject: toAppName(app),
    asker: words.messageAsker(server),
    warnings: [],
    detail: toDetail(toContentText(content, words), words),
    allow: words.messageAllow,
    always: words.messageAlways(server),
  };
};

/** Asks whether an app may save files. */
export const toDownloadQuestion = (request: DownloadRequest, words: DialogWords): Question => {
  const { files, links } = request;
  const server = toPrintable(request.server, maxName);
  const warnings = toWarnings(
    links.flatMap((link) => link.warnings),
    words,
  );
  return {
    title: words.downloadTitle(files.length + links.length),
    subject: server,
    asker: words.downloadAsker(server),
    warnings,
    items: [
      ...files.map(({ name, bytes }) => ({ name: toPrintable(name, 260), note: words.bytes(bytes) })),
      ...links.map(({ url, host }) => ({
        name: toPrintable(url, 2_100),
        note: words.downloadLink(toPrintable(host, 260)),
      })),
    ],
    allow: words.downloadAllow,
    ...(warnings.length === 0 ? { always: words.downloadAlways(server) } : {}),
  };
};

/** Asks whether an app may have an answer of the model. */
export const toSamplingQuestion = ({ app, params }: SamplingRequest, words: DialogWords): Question => {
  const server = toPrintable(app.server, maxName);
  const { systemPrompt, messages, maxTokens } = params;
  const parts = [
    ...(systemPrompt ? [`${words.speaker('system')} ${systemPrompt}`] : []),
    ...messages.map(({ role, content }) => {
      const blocks = Array.isArray(content) ? content : [content];
      return `${words.speaker(role)} ${toContentText(blocks, words)}`;
    }),
  ];
  return {
    title: words.samplingTitle,
    subject: toAppName(app),
    asker: words.samplingAsker(server, maxTokens),
    warnings: [],
    detail: toDetail(parts.join('\n\n'), words),
    allow: words.samplingAllow,
    always: words.samplingAlways(server),
  };
};

const toAppName = ({ info, resource }: MessageRequest['app']): string =>
  toPrintable(info?.title ?? info?.name ?? resource, maxName);

const toWarnings = (warnings: LinkRequest['warnings'], words: DialogWords): string[] =>
  [...new Set(warnings)].map((kind) => (kind === 'look-alike' ? words.lookAlike : words.privateAddress));

/** What cannot be shown is said: a yes to a text nobody could read is none. */
const toDetail = (text: string, words: DialogWords): string =>
  toPrintable(text, maxText, { lines: 'keep', rest: (count) => `…\n${words.more(count)}` });

const toContentText = (blocks: readonly object[], words: DialogWords): string =>
  blocks.map((block) => toBlockText(block, words)).join('\n');

/** The words of a block, or what it is; a block of a kind of its own is named by its type. */
const toBlockText = (block: object, words: DialogWords): string => {
  // Read field by field; what is not of the expected kind is left out.
  const { type, text, data, mimeType, uri, name, resource } = block as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return text;
  if (typeof resource === 'object' && resource !== null) return toBlockText({ type, ...resource }, words);
  const what = [type, name ?? uri].filter((part) => typeof part === 'string').join(' ');
  return words.attachment(
    what,
    typeof mimeType === 'string' ? mimeType : undefined,
    typeof data === 'string' ? Math.floor((data.length * 3) / 4) : undefined,
  );
};
