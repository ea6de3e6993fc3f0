import { pageViewScript } from '@casement/sandbox/page-view';

/** How long a page may take to say what the user would miss of it: one whose thread is busy is not waited for. */
const withinMs = 1000;

const post = (frame: HTMLIFrameElement, params: object, ports: MessagePort[] = []): void => {
  const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-view', params };
  frame.contentWindow?.postMessage(message, new URL(frame.src).origin, ports);
};

/**
 * Runs a script in the page of an app through its loader and reads what it says on a port of its own. It does not go
 * through the session's transport, and so not into the recording. `read` gives undefined as long as more is to come.
 */
export const askLoader = <T>(
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
  (await askLoader(frame, { text: pageViewScript }, withinMs, (view) => ({ view })))?.view ?? undefined;

/** Gives the loader in a frame a view to write into the app's page. */
export const giveFrameView = (frame: HTMLIFrameElement | undefined, view: unknown): void => {
  if (frame) post(frame, { text: pageViewScript, view });
};
