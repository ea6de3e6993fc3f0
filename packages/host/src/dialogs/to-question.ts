import type { ContentBlock, ParamsOf } from '@casement/protocol';
import {
  readSamplingSettings,
  toModelImage,
  toModelText,
  toSamplingBlocks,
  toSamplingText,
} from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { toKnownBlock, toReadableJson } from '@casement/protocol/consents';
import type {
  DownloadRequest,
  ExternalUrlRequest,
  LinkRequest,
  MessageRequest,
  SamplingRequest,
} from '../core/session-options.js';
import { toHostName } from '../dom/host-name.js';
import type { DialogWords } from '../dom/host-words.js';
import type { Question, QuestionText } from './question.js';

// Names in sentences; a server's is the user's own choice, an app's is not.
const maxName = 100;
const maxHost = 300;
const maxAddress = 2_100;

/** Asks whether an app may open a page, or start a mail. */
export const toLinkQuestion = (
  { url, host, server, warnings }: LinkRequest,
  words: DialogWords,
): Question => {
  const name = toServerName(server);
  const isMail = /^mailto:/i.test(url);
  const site = isMail ? host : new URL(url).origin;
  return {
    title: isMail ? words.mailTitle : words.linkTitle,
    ...toSubject(host),
    asker: isMail ? words.mailAsker(name) : words.linkAsker(name),
    warnings: toWarnings(warnings, words),
    address: toPrintable(url, maxAddress),
    allow: words.linkAllow,
    // Nobody should say always to a name that may not be what it looks like.
    ...(warnings.length === 0 ? { always: words.linkAlways(toPrintable(site, maxHost), name) } : {}),
  };
};

/**
 * Asks whether an external page may be shown as the app. This is asked every time, because nothing stands between such
 * a page and the user once it is shown.
 */
export const toPageQuestion = (
  { url, host, server, warnings }: ExternalUrlRequest,
  words: DialogWords,
): Question => ({
  title: words.pageTitle,
  ...toSubject(host),
  asker: words.pageAsker(toServerName(server)),
  warnings: toWarnings(warnings, words),
  address: toPrintable(url, maxAddress),
  allow: words.pageAllow,
});

/** Asks whether an app may speak in the user's name; the text stands under the app's name, never alone (T21). */
export const toMessageQuestion = ({ content, app }: MessageRequest, words: DialogWords): Question => {
  const server = toServerName(app.server);
  const known = content.map(toKnownBlock);
  return {
    title: words.messageTitle,
    subject: toAppName(app),
    asker: words.messageAsker(server),
    warnings: [],
    texts: [{ text: known.map((block) => toShownBlock(block, words)).join('\n') }],
    pictures: known.flatMap((block) => toModelImage(block) ?? []),
    allow: words.messageAllow,
    always: words.messageAlways(server),
  };
};

/** Asks whether an app may save files. */
export const toDownloadQuestion = (request: DownloadRequest, words: DialogWords): Question => {
  const { files, links } = request;
  const server = toServerName(request.server);
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
      ...files.map(({ name, mimeType, bytes }) => ({
        name: toPrintable(name, 260),
        note: words.file(toPrintable(mimeType, 180), bytes),
      })),
      ...links.map(({ url, host }) => ({
        name: toPrintable(url, maxAddress),
        note: words.downloadLink(toPrintable(host, maxHost)),
      })),
    ],
    allow: words.downloadAllow,
    ...(warnings.length === 0 ? { always: words.downloadAlways(server) } : {}),
  };
};

/** Asks whether an app may have an answer of the model: every word the model would get is in it. */
export const toSamplingQuestion = ({ app, params }: SamplingRequest, words: DialogWords): Question => {
  const server = toServerName(app.server);
  const { systemPrompt, messages, maxTokens } = params;
  const settings = readSamplingSettings(params);
  return {
    title: words.samplingTitle,
    subject: toAppName(app),
    asker: words.samplingAsker(server, maxTokens),
    warnings: [],
    texts: [
      ...(systemPrompt ? [{ label: words.speaker('system'), text: systemPrompt }] : []),
      ...messages.map((message) => toSpokenText(message, words)),
      ...(Object.keys(settings).length > 0
        ? [{ label: words.samplingSettings, text: toReadableJson(settings) }]
        : []),
    ],
    pictures: messages.flatMap(({ content }) =>
      toSamplingBlocks(content).flatMap((block) => toModelImage(block as ContentBlock) ?? []),
    ),
    allow: words.samplingAllow,
    always: words.samplingAlways(server),
  };
};

const toSpokenText = (
  { role, content }: ParamsOf<'sampling/createMessage'>['messages'][number],
  words: DialogWords,
): QuestionText => ({
  label: words.speaker(role),
  text: toSamplingBlocks(content)
    // A block of another kind is no picture, and has a text all the same.
    .map((block) => toPictureText(block as ContentBlock, words) ?? toSamplingText(block))
    .join('\n'),
});

/** A block as a model gets it: its words, or that there is a picture, which stands below. */
const toShownBlock = (block: ContentBlock, words: DialogWords): string =>
  toPictureText(block, words) ?? toModelText(block);

const toPictureText = (block: ContentBlock, words: DialogWords): string | undefined => {
  const image = toModelImage(block);
  return image && words.picture(image.mediaType, Math.floor((image.data.length * 3) / 4));
};

/** A server's name in a sentence. */
const toServerName = (name: string): string => toPrintable(name, maxName);

/** The app as its author named it; a title beside the name hides nothing of it. */
export const toAppName = ({ info, resource }: MessageRequest['app']): string => {
  const { title, name = resource } = info ?? {};
  const isSame = title === undefined || title === name;
  return isSame
    ? toPrintable(name, maxName)
    : `${toPrintable(title, maxName)} (${toPrintable(name, maxName)})`;
};

const toSubject = (host: string): Pick<Question, 'subject' | 'subjectEnd'> => {
  const { front, end } = toHostName(toPrintable(host, maxHost));
  return { subject: front, subjectEnd: end };
};

const toWarnings = (warnings: LinkRequest['warnings'], words: DialogWords): string[] => {
  const texts = {
    'look-alike': words.lookAlike,
    'private-address': words.privateAddress,
    'long-name': words.longName,
  };
  return [...new Set(warnings)].map((kind) => texts[kind]);
};
