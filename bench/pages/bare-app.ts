import type { CallToolResult } from '@casement/protocol';

/** What a bare host is told, and what it tells. */
interface BareAppOptions {
  readonly relayUrl: string;
  readonly frameAttributes: Readonly<Record<string, string>>;
  onLog?(data: unknown): void;
  /** What a call of the guest returns. */
  readonly answer: CallToolResult;
}

/** A guest in a bare double frame. Both may come at any time; each is passed on as soon as the guest can take it. */
export interface BareApp {
  hand(html: string): void;
  deliver(result: CallToolResult): void;
  remove(): void;
}

const initialized = {
  protocolVersion: '2026-01-26',
  hostInfo: { name: 'bare', version: '1.0.0' },
  hostCapabilities: {},
  hostContext: {},
};

/** Creates the two frames at once; the guest runs when it is handed over. */
export const mountBareApp = (container: HTMLElement, options: BareAppOptions): BareApp => {
  const frame = document.createElement('iframe');
  for (const [name, value] of Object.entries(options.frameAttributes)) frame.setAttribute(name, value);
  frame.toggleAttribute('credentialless', true);
  frame.style.cssText = 'border:0;width:100%;height:400px';
  frame.src = options.relayUrl;

  const post = (message: object): void =>
    frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*');
  let html: string | undefined;
  let result: CallToolResult | undefined;
  let isLoaderReady = false;
  let isInitialized = false;
  const handOver = (): void => {
    if (isLoaderReady && html !== undefined) post({ html });
  };
  const send = (): void => {
    if (!isInitialized || !result) return;
    post({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
    post({ method: 'ui/notifications/tool-result', params: result });
  };
  const listen = ({ source, data }: MessageEvent): void => {
    if (source !== frame.contentWindow) return;
    if (data.method === 'loader-ready') {
      isLoaderReady = true;
      handOver();
    } else if (data.method === 'ui/notifications/initialized') {
      isInitialized = true;
      send();
    } else if (data.method === 'notifications/message') options.onLog?.(data.params.data);
    else if (data.method === 'ui/initialize') post({ id: data.id, result: initialized });
    else if (data.id !== undefined)
      post({ id: data.id, result: data.method === 'tools/call' ? options.answer : {} });
  };
  window.addEventListener('message', listen);
  container.append(frame);
  return {
    hand(given) {
      html = given;
      handOver();
    },
    deliver(given) {
      result = given;
      send();
    },
    remove() {
      window.removeEventListener('message', listen);
      frame.remove();
    },
  };
};
