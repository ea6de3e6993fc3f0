/** What a test puts into the host's page and into the guest: both make the same messages. */
declare global {
  interface Window {
    makeMessage(method: string, shape: string): Record<string, unknown>;
    sendMessage(method: string, shape: string): void;
    /** The median time of one JSON.parse and one JSON.stringify of a message, in milliseconds. */
    measureJson(method: string, shape: string): number;
    /** Resolves with the longest pause of this page once it has dealt with the guest's next message, or with why not. */
    measureStall(): Promise<number | string>;
  }
}

/** Runs in both: messages near the proxy's limit, by their method and by what they are full of. */
export const installMessages = (): void => {
  const size = 3_900_000;
  const repeat = (piece: string, length = size): string => piece.repeat(Math.floor(length / piece.length));
  const nest = (depth: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = { a: value };
    return value;
  };
  const list = <T>(length: number, toItem: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => toItem(index));
  const shapes: Record<string, () => unknown> = {
    nothing: () => '',
    dashes: () => repeat('-'),
    'beginnings of tokens': () => repeat('-eyJaaaaaa'),
    'beginnings of addresses': () => repeat('http://'),
    'beginnings of parameters': () => repeat('?token'),
    surrogates: () => repeat('\ud83d\ude00', size / 2),
    numbers: () => list(1_000_000, () => 10),
    keys: () => Object.fromEntries(list(100_000, (index) => [`key${index}`, index])),
    'one huge key': () => ({ [repeat('k')]: 1 }),
    nesting: () => list(300, () => nest(1000)),
    blocks: () => list(80_000, () => ({ type: 'text', text: 'x' })),
  };
  let nextId = 0;
  window.makeMessage = (method, shape) => {
    const data = shapes[shape]?.();
    // In a block, so that each of these is too long to be asked about.
    const block = typeof data === 'string' ? { text: data } : { text: '', data };
    const content = shape === 'blocks' ? data : [{ type: 'text', ...block }];
    const request = { jsonrpc: '2.0', id: `stall-${(nextId += 1)}`, method };
    switch (method) {
      case 'notifications/message':
        return { jsonrpc: '2.0', method, params: { level: 'info', data } };
      case 'ui/notifications/size-changed':
        return { jsonrpc: '2.0', method, params: { width: 300, height: 300, data } };
      case 'ui/message':
        return { ...request, params: { role: 'user', content } };
      case 'ui/update-model-context':
        return { ...request, params: { content, structuredContent: {} } };
      case 'tools/call':
        return { ...request, params: { name: 'both', arguments: { data } } };
      default:
        return { ...request, params: { data } };
    }
  };
  window.sendMessage = (method, shape) => window.parent.postMessage(window.makeMessage(method, shape), '*');
};

/** Runs in the host's page: a clock that notices when the page does not come to it. */
export const installStallClock = (): void => {
  /** How long the page must have been at rest: drawing, timelines and answers come in tasks of their own. */
  const restingTicks = 40;
  let last = performance.now();
  let longest = 0;
  let ticks = 0;
  let heardAt = Infinity;
  let refusal: string | undefined;
  let finish: ((outcome: number | string) => void) | undefined;
  setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    ticks += 1;
    if (ticks < heardAt + restingTicks) return;
    finish?.(refusal ?? longest);
    finish = undefined;
  }, 4);
  addEventListener('message', ({ data }) => {
    const method = String(data?.method ?? '');
    const isReport = method.startsWith('ui/notifications/sandbox-');
    if (method === 'ui/notifications/sandbox-dropped') refusal = String(data.params.reason);
    if (!isReport || refusal !== undefined) heardAt = ticks;
  });
  window.measureStall = () => {
    heardAt = Infinity;
    refusal = undefined;
    last = performance.now();
    longest = 0;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  window.measureJson = (method, shape) => {
    const text = JSON.stringify(window.makeMessage(method, shape));
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      JSON.stringify(JSON.parse(text));
      return performance.now() - start;
    });
    return times.sort((a, b) => a - b)[2] ?? NaN;
  };
};
