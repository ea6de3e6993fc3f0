import type { LinkRequest, MessageRequest } from '@casement/host';
import type { ConsentQuestion } from './consent.js';

const isPrivateHost = (host: string): boolean =>
  /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[)/i.test(
    host,
  );

const toLinkWarning = (host: string): string | undefined => {
  if (/(?:^|\.)xn--/i.test(host))
    return 'This name is written in letters that can look like another name. Compare it with the one you expect.';
  if (isPrivateHost(host)) return 'This address is on your own machine or network.';
  return undefined;
};

/** Asks whether an app may open a page; the host comes first so that a long address cannot hide it (E09). */
export const toLinkQuestion = ({ url, host, server }: LinkRequest): ConsentQuestion => {
  const warning = toLinkWarning(host);
  return {
    title: 'Open this page?',
    subject: host,
    asker: `An app of the server ${server} asks to open it in a new tab.`,
    ...(warning === undefined ? {} : { warning }),
    detail: url,
    allow: 'Open',
  };
};

/** Asks whether an app may speak in the user's name. */
export const toMessageQuestion = ({ content, app }: MessageRequest): ConsentQuestion => ({
  title: 'Send this message as yours?',
  subject: app.info?.name ?? app.resource,
  asker: `This app of the server ${app.server} asks to add a message to the conversation.`,
  detail: content
    .map((block) => ('text' in block && typeof block.text === 'string' ? block.text : `[${block.type}]`))
    .join('\n'),
  allow: 'Send',
});
