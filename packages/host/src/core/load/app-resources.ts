import type { ResourceListing } from '@casement/protocol';
import { defaultLimits } from '../limits.js';
import { throwCodeMissing } from '../missing-code.js';
import type { ServerPort } from '@casement/protocol/ports';
import type { AppResource, AppResources } from './app-resource.js';

/** What a read may take that only makes a later one quicker. */
const aheadMs = 5_000;

/** A cache over one server port; share it between the sessions of that server. */
export const createAppResources = (
  server: ServerPort,
  {
    maxBytes = defaultLimits.maxHtmlBytes,
    timeoutMs = defaultLimits.resourceMs,
  }: { maxBytes?: number; timeoutMs?: number } = {},
): AppResources => {
  const known = new Map<string, AppResource>();
  const underWay = new Map<string, Promise<AppResource>>();
  const running = new Set<AbortController>();
  const seen = new Map<string, string>();
  /** Counts what the server said of changes. */
  let changes = 0;
  let listing: Promise<readonly ResourceListing[]> | undefined;

  const forget = (): void => {
    changes += 1;
    known.clear();
    underWay.clear();
    listing = undefined;
  };
  const unsubscribe = server.subscribe((event) => {
    if (event.type !== 'tools-changed') forget();
  });

  const list = (): Promise<readonly ResourceListing[]> => {
    const current = (listing ??= server.listResources());
    current.catch(() => {
      if (listing === current) listing = undefined;
    });
    return current;
  };

  const readFresh = async (uri: string, ms: number, ahead?: AbortSignal): Promise<AppResource> => {
    const controller = new AbortController();
    const abort = (): void => controller.abort();
    running.add(controller);
    ahead?.addEventListener('abort', abort);
    // The server is asked before the checks are here, and all come side by side.
    const answer = server.readResource({ uri }, { caller: 'user', signal: controller.signal });
    answer.catch(() => undefined);
    try {
      const listing = list();
      const { finishRead } = await import('../loaded/first-parts.js').catch(throwCodeMissing);
      return await finishRead({
        uri,
        answer,
        listing,
        controller,
        maxBytes,
        timeoutMs: ms,
        seen,
        known: () => known.get(uri),
      });
    } finally {
      running.delete(controller);
      ahead?.removeEventListener('abort', abort);
    }
  };

  const read = (uri: string): Promise<AppResource> => {
    const current = underWay.get(uri);
    if (current) return current;
    const fresh = readFresh(uri, timeoutMs);
    underWay.set(uri, fresh);
    const settle = (resource?: AppResource): void => {
      // Nothing read before the server announced a change may be remembered after it.
      if (underWay.get(uri) !== fresh) return;
      underWay.delete(uri);
      if (resource) known.set(uri, resource);
    };
    fresh.then(settle, () => settle());
    return fresh;
  };

  return {
    prefetch(tool) {
      const start = async (): Promise<void> => {
        const { readToolLink } = await import('../loaded/first-parts.js');
        const uri = readToolLink(tool).resourceUri;
        if (uri !== undefined && !known.has(uri)) await read(uri);
      };
      // A failed prefetch is no news: the mount reads again and reports it.
      start().catch(() => undefined);
    },
    read,
    async readAhead(uri, signal) {
      const before = changes;
      const there = known.get(uri);
      if (there) return there;
      signal.throwIfAborted();
      const resource = await readFresh(uri, Math.min(aheadMs, timeoutMs), signal);
      if (before === changes && !known.has(uri)) known.set(uri, resource);
      return resource;
    },
    peek: (uri) => known.get(uri),
    close() {
      unsubscribe();
      forget();
      for (const controller of running) controller.abort();
    },
  };
};
