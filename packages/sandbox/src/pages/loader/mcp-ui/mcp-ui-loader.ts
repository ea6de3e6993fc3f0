// The loader of family mcp-ui: shakes hands with the host in the app's stead and translates its messages in this
// document. The app is HTML written here, or a page of its own in one frame, whose origin the policy names exactly.
import { isFrameableUrl } from '../../../families/frameable-url.js';
import { awaitHandover, type Handover } from '../handover.js';
import { createHostLine } from '../host-line.js';
import { createTranslator } from './mcp-ui-translator.js';
import { createHeightObserver } from '../height-observer.js';
import { replaceParent } from './parent-facade.js';
import { createTabLinks } from '../tab-links.js';

const shell =
  '<!doctype html><title>MCP-UI app</title><style>html,body{height:100%;margin:0;overflow:hidden}iframe{display:block;width:100%;height:100%;border:0}</style>';

/** Creates the client to the host and the translator that uses it; `greet` begins the conversation. */
const connect = ({ proxy, proxyOrigin, report }: Handover, send: (message: object) => void) => {
  const line = createHostLine({
    proxy,
    proxyOrigin,
    prefix: 'mcp-ui',
    onNotification: (method, params) => translator.news(method, params),
    onTeardown: (payload) => send({ type: 'ui-lifecycle-teardown', payload }),
  });
  const translator = createTranslator(line, send);
  const greet = (): void => {
    line.greet('mcp-ui', 'MCP-UI app').then(
      ({ context }) => translator.begin(context),
      (error: unknown) => report('script-error', { message: String(error) }),
    );
  };
  return { line, translator, greet };
};

/** An app that is written into this document. */
const showHtml = (handover: Handover): void => {
  const { proxy, proxyOrigin, params } = handover;
  let post = (_message: object): void => undefined;
  const { line, translator, greet } = connect(handover, (message) => post(message));
  const hear = (event: MessageEvent): void => {
    if (line.hear(event)) event.stopImmediatePropagation();
  };
  let reported = -1;
  const observe = createHeightObserver((height) => {
    if (height !== reported) translator.reportHeight((reported = height));
  });
  const listenForLinks = createTabLinks(line);
  post = replaceParent({ proxy, proxyOrigin, hear: translator.hear });
  // A document of a frame without a doctype of its own is in no quirks mode where these apps come from.
  handover.writeListening(`<!doctype html>${String(params['html'])}`, () => {
    window.addEventListener('message', hear);
    window.addEventListener('load', translator.listen);
    listenForLinks();
    observe();
  });
  greet();
};

/**
 * Shows an app that is an external page. Messages are accepted only from its window, and only while it is on its own
 * origin.
 */
const showPage = (handover: Handover, url: string): void => {
  if (!isFrameableUrl(url)) {
    const message = 'The address of the app is not an http or https address.';
    return handover.report('script-error', { message });
  }
  const { origin } = new URL(url);
  const frame = document.createElement('iframe');
  const { line, translator, greet } = connect(handover, (message) =>
    frame.contentWindow?.postMessage(message, origin),
  );
  // A frame whose page was forbidden to be in one loads all the same; only that it never says a word tells them apart.
  let hasSpoken = false;
  const tellLoad = (): void => handover.report('page-loaded', { spoke: hasSpoken });
  handover.write(shell, () => {
    window.addEventListener('message', (event) => {
      if (line.hear(event)) return;
      if (event.source !== frame.contentWindow || event.origin !== origin) return;
      if (!hasSpoken) {
        hasSpoken = true;
        tellLoad();
      }
      translator.hear(event.data);
    });
  });
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  frame.referrerPolicy = 'no-referrer';
  frame.title = 'MCP-UI app';
  frame.src = url;
  frame.addEventListener('load', translator.listen);
  frame.addEventListener('load', tellLoad);
  document.body.append(frame);
  greet();
};

awaitHandover((handover) => {
  const { url } = handover.params;
  if (typeof url === 'string') showPage(handover, url);
  else showHtml(handover);
});
