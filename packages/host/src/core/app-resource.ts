import type {
  AppFamily,
  AppPermission,
  DeclaredCsp,
  ErrorCode,
  MetadataFinding,
  ResourceListing,
  Tool,
} from '@casement/protocol';
import { CasementError, readToolUi } from '@casement/protocol/basics';
import { defaultLimits } from './limits.js';
import type { ServerPort } from './server-port.js';
import { withTimeLimit } from './time-limit.js';

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
  readonly provenance: ResourceProvenance;
  readonly findings: readonly MetadataFinding[];
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

// Metadata in the listing is a fallback per field; a slow listing must not keep an app from showing.
const listingMs = 3_000;

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
  let listing: Promise<readonly ResourceListing[]> | undefined;

  const forget = (): void => {
    known.clear();
    underWay.clear();
    listing = undefined;
  };
  const unsubscribe = server.subscribe((event) => {
    if (event.type !== 'tools-changed') forget();
  });

  const readListing = async (uri: string): Promise<ResourceListing | undefined> => {
    const current = (listing ??= server.listResources());
    try {
      const entries = await withTimeLimit(current, listingMs, () => new Error('The listing took too long.'));
      return entries.find((entry) => entry.uri === uri);
    } catch {
      // A server need not list its UI resources; the content item alone then decides.
      if (listing === current) listing = undefined;
      return undefined;
    }
  };

  const readFresh = async (uri: string): Promise<AppResource> => {
    const controller = new AbortController();
    const toTimeout = (): CasementError => {
      controller.abort();
      return new CasementError('resource-timeout', `The server did not return ${uri} in time.`, {
        step: 'resource',
        hint: 'Check what the server does in resources/read; it may wait for a sign-in or a network call.',
      });
    };
    const reading = server.readResource({ uri }, { caller: 'user', signal: controller.signal });
    try {
      const [result, entry, { toAppResource }] = await Promise.all([
        withTimeLimit(reading, timeoutMs, toTimeout),
        readListing(uri),
        import('./check-resource.js'),
      ]);
      return await toAppResource(uri, result, entry, maxBytes);
    } catch (error) {
      throw toResourceError(error, uri);
    }
  };

  const read = (uri: string): Promise<AppResource> => {
    const running = underWay.get(uri);
    if (running) return running;
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
      const uri = readToolUi(tool).resourceUri;
      if (uri === undefined || known.has(uri)) return;
      // A failed prefetch is no news: the mount reads again and reports it.
      read(uri).catch(() => undefined);
    },
    read,
    peek: (uri) => known.get(uri),
    close() {
      unsubscribe();
      forget();
    },
  };
};

const renamed: Partial<Record<ErrorCode, ErrorCode>> = {
  'server-timeout': 'resource-timeout',
  'peer-timeout': 'resource-timeout',
  'result-too-large': 'resource-too-large',
  'server-exited': 'server-lost',
  'server-unreachable': 'server-lost',
  'server-not-ready': 'server-lost',
};

/** Whatever a port throws becomes a failure of this step; the server's own words stay in it. */
const toResourceError = (error: unknown, uri: string): CasementError => {
  const details = { step: 'resource', cause: error } as const;
  if (error instanceof CasementError) {
    if (error.code.startsWith('resource-') || error.code === 'server-garbage') return error;
    const code = renamed[error.code];
    if (code) return new CasementError(code, error.message, { ...details, hint: error.hint });
  }
  const words = error instanceof Error ? error.message : String(error);
  return new CasementError('resource-missing', `The server could not read ${uri}: ${words}`, {
    ...details,
    hint: 'Register the UI resource the tool names, under exactly the same URI.',
  });
};
