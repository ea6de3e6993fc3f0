/** Any JSON object. */
export type Params = Record<string, unknown>;

/** Names a request within one connection. */
export type RequestId = string | number;

/** An error as it travels. */
export interface WireError {
  code: number;
  message: string;
  data?: unknown;
}

/** A message between app and host. */
export type WireMessage =
  | { jsonrpc: '2.0'; id: RequestId; method: string; params?: Params }
  | { jsonrpc: '2.0'; method: string; params?: Params }
  | { jsonrpc: '2.0'; id: RequestId; result: Params }
  | { jsonrpc: '2.0'; id: RequestId | null; error: WireError };

/** A pipe to a host; what arrives is untrusted. */
export interface Transport {
  send(message: WireMessage): void;
  /** `onTrouble` hears of messages that were not let in. */
  subscribe(listener: (data: unknown) => void, onTrouble?: (error: Error) => void): () => void;
  close(): void;
}

/** How far a long call has come. */
export interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

/** Options of one request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** How long to wait for the answer, or for the next report of progress. */
  timeoutMs?: number | undefined;
  /** Asks the host for reports of progress. */
  onprogress?: ((progress: Progress) => void) | undefined;
}
