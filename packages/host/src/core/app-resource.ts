import type {
  AppFamily,
  AppPermission,
  DeclaredCsp,
  MetadataFinding,
  ResourceListing,
  Tool,
} from '@casement/protocol';
import type { AppSize } from './app-size.js';
import { defaultLimits } from './limits.js';
import type { ServerPort } from './server-port.js';

/** For each metadata field, the place that decided it (HOST-015). */
export type ResourceProvenance = Readonly<
  Record<'csp' | 'permissions' | 'domain' | 'prefersBorder', 'content' | 'listing' | 'none'>
>;

/** A UI resource that was read and checked: HTML with everything that decides how it may run. */
export interface AppResource {
  readonly uri: string;
  readonly html: string;
  /** SHA-256 of the HTML in hexadecimal; empty where the page has no crypto.subtle. */
  readonly hash: string;
  readonly bytes: number;
  readonly family: AppFamily;
  readonly csp?: DeclaredCsp;
  readonly permissions: readonly AppPermission[];
  readonly domain?: string;
  readonly prefersBorder?: boolean;
  /** The size to begin with, within what the host allows. */
  readonly preferredSize?: AppSize;
  readonly provenance: ResourceProvenance;
  readonly findings: readonly MetadataFinding[];
  /** Whether the loader gives the document window.mcpApp, which apps of an older style expect. */
  readonly shim?: boolean;
  /** An app that is a page elsewhere: its address, framed instead of HTML. */
  readonly url?: string;
  /** How this read compares to the last one of the same address. */
  readonly cache?: 'new' | 'revalidated' | 'changed';
}

/** The UI resources of one server: what is known of them, and fresh reads. */
export interface AppResources {
  /** Starts reading the tool's UI resource so that a later mount is warm; never throws. */
  prefetch(tool: Tool): void;
  /** A fresh read (or the one already under way), checked. */
  read(uri: string): Promise<AppResource>;
  /** What the last read gave, unless the server said its resources changed. */
  peek(uri: string): AppResource | undefined;
  /** Stops listening to the server; nothing is remembered from then on. */
  close(): void;
}

/** What one read works with; the checks themselves are loaded on demand. */
export interface ResourceRead {
  readonly uri: string;
  readonly answer: Promise<unknown>;
  /** Metadata in the listing is a fallback per field. */
  readonly listing: Promise<readonly ResourceListing[]>;
  readonly controller: AbortController;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** The address' last content and metadata, as one text. */
  readonly seen: Map<string, string>;
  known(): AppResource | undefined;
}

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
  let listing: Promise<readonly ResourceListing[]> | undefined;

  const forget = (): void => {
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

  const readFresh = async (uri: string): Promise<AppResource> => {
    const controller = new AbortController();
    running.add(controller);
    // The server is asked before the checks are here, and both come side by side.
    const answer = server.readResource({ uri }, { caller: 'user', signal: controller.signal });
    answer.catch(() => undefined);
    try {
      const { finishRead } = await import('./check-resource.js');
      return await finishRead({
        uri,
        answer,
        listing: list(),
        controller,
        maxBytes,
        timeoutMs,
        seen,
        known: () => known.get(uri),
      });
    } finally {
      running.delete(controller);
    }
  };

  const read = (uri: string): Promise<AppResource> => {
    const current = underWay.get(uri);
    if (current) return current;
    const fresh = readFresh(uri);
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
        const { readToolUi } = await import('./check-resource.js');
        const uri = readToolUi(tool).resourceUri;
        if (uri !== undefined && !known.has(uri)) await read(uri);
      };
      // A failed prefetch is no news: the mount reads again and reports it.
      start().catch(() => undefined);
    },
    read,
    peek: (uri) => known.get(uri),
    close() {
      unsubscribe();
      forget();
      for (const controller of running) controller.abort();
    },
  };
};
