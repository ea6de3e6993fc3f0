// The loader of family openai: shakes hands with the host in the widget's stead and puts `window.openai` in place before
// the widget's first byte. Widgets read their data when their scripts run, so the document is written only when what
// the host knows is here; of a tool that was called, at least its input, its result or its end. No timer waits for it.
import { awaitHandover } from './handover.js';
import { createHostLine } from './host-line.js';
import { createOpenaiApi, type OpenaiApi } from './openai-api.js';
import { observeHeight } from './observe-height.js';
import { toToolFacts } from './tool-facts.js';

awaitHandover(({ proxy, proxyOrigin, params, report, write }) => {
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
      if (api) return api.hear(method, values);
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
    // A document of a frame without a doctype of its own is in no quirks mode where these widgets come from.
    write(`<!doctype html>${String(params['html'])}`, () => {
      window.addEventListener('message', hear);
      Object.assign(window, { openai: created.openai });
    });
    observeHeight((height) => {
      if (!line.isShared) created.reportHeight(height);
    });
  };
  start().catch((error: unknown) => report('script-error', { message: String(error) }));
});
