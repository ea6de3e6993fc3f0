import { pageViewScript } from '@casement/sandbox/page-view';

/** How long a page may take to say what the user would miss of it: one whose thread is busy is not waited for. */
const withinMs = 1000;

const post = (frame: HTMLIFrameElement, params: object, ports: MessagePort[] = []): void => {
  const message = { jsonrpc: '2.0', method: 'ui/notifications/sandbox-view', params };
  frame.contentWindow?.postMessage(message, new URL(frame.src).origin, ports);
};

/**
 * Asks the loader in a frame for the view of the app's page. The answer comes on a port of its own and is the guest's
 * word; undefined without one in time. It does not go through the session's transport, and so not into the recording:
 * people type what is in it.
 */
export const askFrameView = (frame: HTMLIFrameElement | undefined): Promise<unknown> =>
  new Promise((resolve) => {
    if (!frame?.contentWindow) return resolve(undefined);
    const { port1, port2 } = new MessageChannel();
    const end = (view?: unknown): void => {
      clearTimeout(timer);
      port1.close();
      resolve(view);
    };
    const timer = setTimeout(end, withinMs);
    port1.onmessage = ({ data }) => end(data ?? undefined);
    post(frame, { text: pageViewScript }, [port2]);
  });

/** Gives the loader in a frame a view to write into the app's page. */
export const giveFrameView = (frame: HTMLIFrameElement | undefined, view: unknown): void => {
  if (frame) post(frame, { text: pageViewScript, view });
};
