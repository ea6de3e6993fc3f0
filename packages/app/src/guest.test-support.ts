import type { JsonRpcMessage, Transport } from '@casement/protocol';

const PARENT_ORIGIN = 'https://sandbox.example.com';

/** What a test decides about the page around the app. */
export interface GuestPlan {
  readonly origin?: string;
  /** Whether the browser tells a page by whom it is framed. */
  readonly tellsAncestors?: boolean;
  readonly isFramed?: boolean;
  readonly openai?: object;
}

/** A page in a frame, as far as a bridge looks at it, in bare Node: two windows, events, and a document without layout. */
export const createGuest = ({
  origin = PARENT_ORIGIN,
  tellsAncestors = true,
  isFramed = true,
  openai,
}: GuestPlan = {}) => {
  const events = new EventTarget();
  const styles = new Map<string, string>();
  const opened: string[] = [];
  const posted: { message: unknown; targetOrigin: string }[] = [];
  const hostListeners = new Set<(data: unknown) => void>();

  const parent = {
    postMessage(message: JsonRpcMessage, targetOrigin: string): void {
      const data: unknown = structuredClone(message);
      posted.push({ message: data, targetOrigin });
      // As browsers do: only a page of that origin gets it.
      if (targetOrigin !== '*' && targetOrigin !== origin) return;
      queueMicrotask(() => hostListeners.forEach((listener) => listener(data)));
    },
  };
  const document = {
    readyState: 'complete',
    title: 'A page',
    documentElement: {
      dataset: {},
      style: { setProperty: (name: string, value: string) => styles.set(name, value) },
    },
    addEventListener: events.addEventListener.bind(events),
    // One target stands for document and window: what bubbles up is heard once by either.
    dispatchEvent: events.dispatchEvent.bind(events),
  };
  const window: Record<string, unknown> = {
    document,
    location: { ancestorOrigins: tellsAncestors ? [origin] : undefined },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    open: (url: string) => void opened.push(url),
    matchMedia: () => ({
      matches: true,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }),
    navigator: { language: 'de-CH' },
    ...(openai ? { openai } : {}),
    ...{
      CustomEvent,
      Event,
      AbortController,
      URL,
      setTimeout,
      clearTimeout,
      structuredClone,
      queueMicrotask,
    },
  };
  window['window'] = window;
  window['parent'] = isFramed ? parent : window;

  /** Lets any window of any origin speak to the page. */
  const speak = (data: unknown, from: { source?: unknown; origin?: string } = {}): void => {
    events.dispatchEvent(Object.assign(new Event('message'), { source: parent, origin, data, ...from }));
  };
  const transport: Transport = {
    send: (message) => speak(structuredClone(message)),
    subscribe(listener) {
      hostListeners.add(listener);
      return () => hostListeners.delete(listener);
    },
    close: () => undefined,
  };
  return { window, document, parent, posted, opened, styles, speak, transport, events };
};
export type Guest = ReturnType<typeof createGuest>;
