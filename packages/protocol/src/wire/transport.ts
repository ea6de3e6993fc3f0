import type { JsonRpcMessage } from './json-rpc.js';

/** A two-way pipe; what arrives is untrusted until parsed. */
export interface Transport {
  send(message: JsonRpcMessage): void;
  subscribe(listener: (data: unknown) => void): () => void;
  close(): void;
}
