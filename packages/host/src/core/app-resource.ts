import type { AppFamily, AppPermission, DeclaredCsp, MetadataFinding, Tool } from '@casement/protocol';

/** For each metadata field, the place that decided it (HOST-015). */
export type Provenance = Readonly<
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
  readonly provenance: Provenance;
  readonly findings: readonly MetadataFinding[];
}

/** The UI resources of one server: what is known of them, and fresh reads. */
export interface AppResources {
  /** Starts reading the tool's UI resource so that a later mount is warm; never throws. */
  prefetch(tool: Tool): void;
  /** A fresh read (or the one already under way), checked. */
  read(uri: string, signal?: AbortSignal): Promise<AppResource>;
  /** What the last read gave, unless the server said its resources changed. */
  peek(uri: string): AppResource | undefined;
}
