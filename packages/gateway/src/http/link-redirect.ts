import { CasementError } from '@casement/protocol/start';
import type { Answer, Asked } from './exchange.js';
import type { GatewayAddress } from './gateway-address.js';

/** Where the links of a gateway lead; the code behind it stays with the browser, which takes it along. */
export const LINK_PATH = '/open';

/** How long a browser may take to come where it was sent. */
const FOLLOW_MS = 5_000;

/** The first Firefox that asks nobody what a name below `localhost` means. */
const FIRST_FIREFOX = 84;

/**
 * Whether a browser says that it resolves every name below `localhost` itself: every Chromium, known by the name that it
 * sends to this machine alone among those without TLS, and Firefox. Safari asks the system, which may not know them.
 */
const resolvesNames = ({ headers }: Asked): boolean => {
  if (headers['sec-ch-ua']?.includes('"Chromium"')) return true;
  const [, version = '0'] =
    / Gecko\/20100101 Firefox\/(\d{2,4})\.\d{1,4}$/.exec(headers['user-agent'] ?? '') ?? [];
  return Number(version) >= FIRST_FIREFOX;
};

/** Whether somebody looks at what comes: a tab of a browser, not a frame, and nothing that is loaded in advance. */
const isVisit = ({ method, headers }: Asked): boolean =>
  method === 'GET' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document' &&
  headers['sec-purpose'] === undefined;

/** Sends those who open a link to the page. */
export interface LinkRedirect {
  /** Takes notice of a request for the page: who comes under its own name has followed. */
  notice(asked: Asked): void;
  answer(asked: Asked): Answer;
}

/**
 * Creates the answers to links. A browser that resolves the page's own name is sent there at once: a page at `localhost`
 * would have to be loaded, to find that out and to move, which takes a document and a process. If it did not come, its
 * resolver was told otherwise, and it shows an error and nothing else: until somebody has come under that name,
 * everybody is sent to the page at the name they asked for, which finds out by itself. `onLost` is called for each who
 * did not come.
 */
export const createLinkRedirect = ({ pagePort }: GatewayAddress, onLost: () => void): LinkRedirect => {
  const own = `casement.localhost:${pagePort}`;
  /** Runs while somebody is waited for, and stays when nobody came. */
  let awaited: NodeJS.Timeout | undefined;
  return {
    notice: (asked) => {
      if (asked.headers.host !== own || !isVisit(asked)) return;
      clearTimeout(awaited);
      awaited = undefined;
    },
    answer: (asked) => {
      const { method, url, headers } = asked;
      if (method !== 'GET' && method !== 'HEAD')
        throw new CasementError('not-found', 'There is nothing to send to here.');
      const isSent =
        awaited === undefined &&
        headers.host === `localhost:${pagePort}` &&
        isVisit(asked) &&
        resolvesNames(asked);
      if (isSent) awaited = setTimeout(onLost, FOLLOW_MS).unref();
      // Where it leads is ours but for the query, and nobody may keep it: the next time it may lead elsewhere.
      return {
        status: 307,
        headers: {
          Location: `${isSent ? `http://${own}` : ''}/${url.search}`,
          'Cache-Control': 'no-store',
          'Referrer-Policy': 'no-referrer',
        },
      };
    },
  };
};
