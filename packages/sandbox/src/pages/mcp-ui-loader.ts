// The loader of family mcp-ui: shakes hands with the host in the app's stead and translates its messages in this
// document. The app is HTML written here, or a page of its own in one frame, whose origin the policy names exactly.
import { isFrameableUrl } from '../frameable-url.js';
import { awaitHandover, type Handover } from './handover.js';
import { createHostLine, type HostLine } from './host-line.js';
import { createTranslator, type Translator } from './mcp-ui-translator.js';
import { observeHeight } from './observe-height.js';
import { replaceParent } from './parent-facade.js';

const shell =
  '<!doctype html><title>MCP-UI app</title><style>html,body{height:100%;margin:0;overflow:hidden}iframe{display:block;width:100%;height:100%;border:0}</style>';

/** An app that was written into this document. */
const showHtml = ({ proxy, proxyOrigin, params, write }: Handover, begin: Begin): void => {
  let post = (_message: object): void => undefined;
  const { line, translator } = begin((message) => post(message));
  // A document of a frame without a doctype of its own is in no quirks mode where these apps come from.
  write(`<!doctype html>${String(params['html'])}`, () => {
    window.addEventListener('message', (event) => {
      if (line.hear(event)) event.stopImmediatePropagation();
    });
    window.addEventListener('load', translator.listen, { once: true });
    post = replaceParent({ proxy, proxyOrigin, hear: translator.hear });
  });
  let reported = -1;
  observeHeight((height) => {
    if (height !== reported) translator.reportHeight((reported = height));
  });
};

/** An app that is a page elsewhere: heard only from that one window while it shows that one origin. */
const showPage = ({ write, report }: Handover, url: string, begin: Begin): void => {
  if (!isFrameableUrl(url))
    return report('script-error', { message: 'The address of the app is not an http or https address.' });
  const { origin } = new URL(url);
  const frame = document.createElement('iframe');
  const { line, translator } = begin((message) => frame.contentWindow?.postMessage(message, origin));
  write(shell, () => {
    window.addEventListener('message', (event) => {
      if (line.hear(event)) return;
      if (event.source === frame.contentWindow && event.origin === origin) translator.hear(event.data);
    });
  });
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  frame.referrerPolicy = 'no-referrer';
  frame.title = 'MCP-UI app';
  frame.src = url;
  frame.addEventListener('load', translator.listen);
  document.body.append(frame);
};

type Begin = (send: (message: object) => void) => { line: HostLine; translator: Translator };

awaitHandover((handover) => {
  const { proxy, proxyOrigin, params, report } = handover;
  let greet = (): Promise<void> => Promise.resolve();
  const begin: Begin = (send) => {
    const translator = createTranslator(() => line, send);
    const line = createHostLine({
      proxy,
      proxyOrigin,
      prefix: 'mcp-ui',
      onNotification: translator.news,
      onTeardown: (payload) => send({ type: 'ui-lifecycle-teardown', payload }),
    });
    greet = async () => translator.begin((await line.greet('mcp-ui', 'MCP-UI app')).context);
    return { line, translator };
  };
  const { url } = params;
  if (typeof url === 'string') showPage(handover, url, begin);
  else showHtml(handover, begin);
  greet().catch((error: unknown) => report('script-error', { message: String(error) }));
});
