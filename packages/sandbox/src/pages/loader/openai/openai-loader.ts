// The loader of family openai: shakes hands with the host in the widget's stead and puts `window.openai` in place before
// the widget's first byte. Widgets read their data when their scripts run, so the document is written only when what
// the host knows is here; of a tool that was called, at least its input, its result or its end. No timer waits for it.
import { awaitHandover } from '../handover.js';
import { createHostLine, toToolFacts } from '../host-line.js';
import { createOpenaiApi, type OpenaiApi } from './openai-api.js';
import { createHeightObserver } from '../height-observer.js';
import { createTabLinks } from '../tab-links.js';

/** A language tag that may stand in an attribute. */
const toLanguage = ({ locale }: Readonly<Record<string, unknown>>): string =>
  typeof locale === 'string' ? locale.replace(/[^\w-]/g, '') : '';

awaitHandover(({ proxy, proxyOrigin, params, report, writeListening }) => {
  let told: Readonly<Record<string, unknown>> = {};
  let changed: Readonly<Record<string, unknown>> = {};
  let isTold = false;
  let go = (): void => undefined;
  let api: OpenaiApi | undefined;

  const line = createHostLine({
    proxy,
    proxyOrigin,
    prefix: 'openai',
    onNotification(method, values) {
      if (api) {
        if ('locale' in values) document.documentElement.lang = toLanguage(values);
        return api.hear(method, values);
      }
      if (method === 'ui/notifications/host-context-changed') changed = { ...changed, ...values };
      told = { ...told, ...toToolFacts(method, values) };
      isTold ||= method.startsWith('ui/notifications/tool-');
      if (isTold) go();
    },
  });
  const hear = (event: MessageEvent): void => {
    // The host's notifications stay to be heard: hosts of this family send them to widgets as well.
    if (line.hear(event) && event.data.id !== undefined) event.stopImmediatePropagation();
  };
  window.addEventListener('message', hear);

  const start = async (): Promise<void> => {
    const host = await line.greet('openai-apps-sdk', 'OpenAI Apps SDK widget');
    const waiting = new Promise<void>((resolve) => (go = resolve));
    if (host.context['toolInfo'] !== undefined && !isTold) await waiting;
    const device = {
      hover: window.matchMedia('(hover: hover)').matches,
      touch: navigator.maxTouchPoints > 0,
    };
    const dispatch = (name: string, detail: object): void => {
      window.dispatchEvent(new CustomEvent(name, { detail }));
    };
    const context = { ...host.context, ...changed };
    const created = createOpenaiApi({ line, host: { ...host, context }, device, told, dispatch });
    api = created;
    // Routers of widgets look for their first page at the root; the query is what a reload needs.
    if (window.location.protocol !== 'about:')
      window.history.replaceState(null, '', `/${window.location.search}`);
    Object.assign(window, { openai: created.openai });
    const observe = createHeightObserver((height) => {
      if (!line.isShared) created.reportHeight(height);
    });
    const listenForLinks = createTabLinks(line);
    // A document of a frame without a doctype of its own is in no quirks mode where these widgets come from. The
    // language is the host's, whatever the widget's own tag says: of two tags the attributes of the first one count.
    writeListening(`<!doctype html><html lang="${toLanguage(context)}">${String(params['html'])}`, () => {
      window.addEventListener('message', hear);
      listenForLinks();
      observe();
    });
  };
  start().catch((error: unknown) => report('script-error', { message: String(error) }));
});
