/** A JSON-RPC message as the bare host page saw it. */
export interface Seen {
  readonly method?: string;
  readonly id?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

declare global {
  interface Window {
    mounted: { frame: HTMLIFrameElement; proxyOrigin: string; messages: Seen[] }[];
    mountProxy(options: {
      proxyUrl: string;
      proxyOrigin: string;
      html: string;
      params?: object;
      sandbox: string;
      allow: string;
    }): number;
    postToProxy(index: number, message: object): void;
  }
}

/** Runs inside the bare host page: mounts proxies and keeps every message that passes source and origin checks. */
export const installHostPage = (): void => {
  window.mounted = [];
  window.addEventListener('message', (event) => {
    const known = window.mounted.find(({ frame }) => frame.contentWindow === event.source);
    if (known?.proxyOrigin === event.origin) known.messages.push(event.data);
  });
  window.mountProxy = ({ proxyUrl, proxyOrigin, html, params, sandbox, allow }) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', sandbox);
    frame.setAttribute('allow', allow);
    frame.style.cssText = 'width:400px;height:200px;border:0';
    frame.src = proxyUrl;
    window.addEventListener('message', (event) => {
      if (event.source !== frame.contentWindow || event.origin !== proxyOrigin) return;
      if (event.data.method !== 'ui/notifications/sandbox-proxy-ready') return;
      const method = 'ui/notifications/sandbox-resource-ready';
      frame.contentWindow?.postMessage({ jsonrpc: '2.0', method, params: { html, ...params } }, proxyOrigin);
    });
    document.body.append(frame);
    return window.mounted.push({ frame, proxyOrigin, messages: [] }) - 1;
  };
  window.postToProxy = (index, message) => {
    const known = window.mounted[index];
    known?.frame.contentWindow?.postMessage(message, known.proxyOrigin);
  };
};
