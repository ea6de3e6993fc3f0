// MCP-UI apps post their messages to `window.parent`. There stands this in its place: it looks like the parent, even to
// `event.source === window.parent`, and gives what is posted to the translator in this very document, so that the
// relay only ever sees JSON-RPC. `parent` is a property any page may replace; nothing is gained by taking it back.

/** Replaces `window.parent`; returns a function that sends a message to the app as if the parent had posted it. */
export const replaceParent = (options: {
  readonly proxy: Window;
  readonly proxyOrigin: string;
  /** Takes what the app posts; what it leaves goes on to the relay, which passes JSON-RPC and counts the rest. */
  hear(message: unknown): boolean;
}): ((message: object) => void) => {
  const { proxy, proxyOrigin } = options;
  const postMessage = (data: unknown): void => {
    // As posting does: a later change by the app is not heard, and what cannot be posted throws.
    const message: unknown = structuredClone(data);
    if (!options.hear(message)) proxy.postMessage(message, proxyOrigin);
  };
  const facade = new Proxy(proxy, {
    get(target, name) {
      if (name === 'postMessage') return postMessage;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
  Object.defineProperty(window, 'parent', {
    value: facade,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  // A port of our own makes it a task of its own, as a message is: whoever posts and then listens hears the answer.
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => {
    const event = new MessageEvent('message', { data, origin: proxyOrigin });
    Object.defineProperty(event, 'source', { value: facade });
    window.dispatchEvent(event);
  };
  return (message) => port1.postMessage(message);
};
