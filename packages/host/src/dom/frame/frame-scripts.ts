import { frameFetchScript } from '@casement/sandbox/frame-fetch';
import { pageViewScript } from '@casement/sandbox/page-view';

// Loaded on demand: the scripts that the host has run in the page of an app, by its loader.

/** How long a page may take to say what the user would miss of it: one whose thread is busy is not waited for. */
const viewMs = 1000;

const post = (frame: HTMLIFrameElement, params: object, ports: MessagePort[] = []): void => {
  const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-view', params };
  frame.contentWindow?.postMessage(message, new URL(frame.src).origin, ports);
};

/**
 * Runs a script in the page of an app through its loader and reads what it says on a port of its own. It does not go
 * through the session's transport, and so not into the recording. `read` gives undefined as long as more is to come.
 */
const askLoader = <T>(
  frame: HTMLIFrameElement | undefined,
  params: object,
  ms: number,
  read: (said: unknown) => T | undefined,
): Promise<T | undefined> =>
  new Promise((resolve) => {
    if (!frame?.contentWindow) return resolve(undefined);
    const { port1, port2 } = new MessageChannel();
    const end = (answer?: T): void => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(end, ms);
    port1.onmessage = ({ data }) => {
      const answer = read(data);
      if (answer !== undefined) end(answer);
    };
    post(frame, params, [port2]);
  });

/**
 * Asks the loader in a frame for the view of the app's page. The answer is the guest's word; undefined without one in
 * time. People type what is in it.
 */
export const askFrameView = async (frame: HTMLIFrameElement | undefined): Promise<unknown> =>
  (await askLoader(frame, { text: pageViewScript }, viewMs, (view) => ({ view })))?.view ?? undefined;

/** Gives the loader in a frame a view to write into the app's page. */
export const giveFrameView = (frame: HTMLIFrameElement | undefined, view: unknown): void => {
  if (frame) post(frame, { text: pageViewScript, view });
};

/** The script in the frame gives up after 10 s; its word may take a moment to come. */
const fetchMs = 11_000;
/** Characters; the script counts bytes. */
const maxText = 10 * 1024 * 1024;

/**
 * Asks the loader in a frame to read a text as the app could. It comes in pieces on a port of its own, is the guest's
 * word, and does not go into the recording. Undefined without an answer in time.
 */
export const askFrameFetch = (frame: HTMLIFrameElement | undefined, url: string): Promise<unknown> => {
  let text = '';
  return askLoader(frame, { text: frameFetchScript, url }, fetchMs, (said) => {
    // Of the proxy, which rebuilt it: JSON, or null for what was none.
    const { piece, more, refused } = Object(said) as Record<string, unknown>;
    if (typeof piece !== 'string') return { refused: typeof refused === 'string' ? refused : 'no answer' };
    text += piece;
    if (text.length > maxText) return { refused: 'It has more than 10 MB.' };
    return more === true ? undefined : text;
  });
};
