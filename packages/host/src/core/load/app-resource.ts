import type {
  AppFamily,
  AppPermission,
  DeclaredCsp,
  MetadataFinding,
  ResourceListing,
  Tool,
} from '@casement/protocol';
import type { AppSize } from '../surface.js';

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
  /**
   * What is known, or else a read that nobody waits for: it has five seconds at most, and no `read` shares it, because
   * an app must not be shown from a read that began before it was asked for.
   */
  readAhead(uri: string, signal: AbortSignal): Promise<AppResource>;
  /** What the last read gave, unless the server said its resources changed. */
  peek(uri: string): AppResource | undefined;
  /** Stops listening to the server; nothing is remembered from then on. */
  close(): void;
}

/** Checks what was read and gathers its metadata; throws one of the codes of this step. */
export type ToAppResource = (
  uri: string,
  result: unknown,
  listing: ResourceListing | undefined,
  maxBytes: number,
  more?: {
    readonly isEmbedded?: boolean;
    /** What was known of the address before. */
    readonly known?: Pick<AppResource, 'html' | 'hash' | 'bytes'> | undefined;
  },
) => Promise<AppResource>;
