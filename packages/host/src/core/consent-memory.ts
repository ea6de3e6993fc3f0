/** What the user decided for good: kept per kind of question, server and, for links, origin (E11). */
export interface ConsentMemory {
  has(key: ConsentKey): boolean;
  remember(key: ConsentKey): void;
  /** Takes back everything remembered for a server, or everything. */
  forget(server?: string): void;
  keys(): readonly ConsentKey[];
}

/** One remembered yes. */
export interface ConsentKey {
  readonly kind: 'link' | 'message' | 'download' | 'sampling';
  /** The server's identity, not its name: another server may call itself the same. */
  readonly server: string;
  /** The origin of a link; empty otherwise. */
  readonly scope: string;
}
