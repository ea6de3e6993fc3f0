const FIRST_BYTES = 4096;

/** Collects bytes that arrive in pieces. */
export interface ByteStore {
  readonly length: number;
  add(part: Uint8Array): void;
  /** Everything so far; the store is empty afterwards. */
  take(): Buffer;
}

/** Creates a store that grows by doubling, so that pieces of one byte cost no more than large ones. */
export const createByteStore = (): ByteStore => {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(part) {
      const needed = length + part.length;
      if (needed > bytes.length) {
        const grown = Buffer.allocUnsafe(Math.max(bytes.length * 2, needed, FIRST_BYTES));
        bytes.copy(grown, 0, 0, length);
        bytes = grown;
      }
      bytes.set(part, length);
      length = needed;
    },
    take() {
      const taken = bytes.subarray(0, length);
      bytes = Buffer.alloc(0);
      length = 0;
      return taken;
    },
  };
};
