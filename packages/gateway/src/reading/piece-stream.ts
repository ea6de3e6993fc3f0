import { createPlainBody, toStream, type PipedBody, type PlainBody } from './plain-body.js';

/** How a body is read, piece by piece. */
type ReadPieces = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, void, undefined>;

/** When reading ends, and what is done then. */
interface PieceOptions {
  signal?: AbortSignal | null | undefined;
  onEnd?: () => void;
}

/**
 * A body in other pieces, each made only when it is asked for. `signal` is that of the request: fetch alone would not
 * end a connection whose Response nobody holds any more.
 */
export const createPieceBody = (
  body: PlainBody,
  readPieces: ReadPieces,
  { signal, onEnd = () => undefined }: PieceOptions = {},
): PipedBody => {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener('abort', leave, { once: true });
  const end = (): void => {
    signal?.removeEventListener('abort', leave);
    leave();
    onEnd();
  };
  async function* readChunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    signal?.throwIfAborted();
  }
  const pieces = readPieces(readChunks());
  return createPlainBody({
    async next() {
      try {
        const { done, value } = await pieces.next();
        if (done !== true) return value;
      } catch (error) {
        end();
        throw error;
      }
      end();
      return undefined;
    },
    cancel: end,
  });
};

/** The same of a stream of the web and as one, for whoever needs that. */
export const createPieceStream = (
  body: ReadableStream<Uint8Array>,
  readPieces: ReadPieces,
  options?: PieceOptions,
): ReadableStream<Uint8Array> => {
  const plain: PlainBody = {
    getReader: () => body.getReader(),
    cancel: (reason) => body.cancel(reason),
  };
  return toStream(createPieceBody(plain, readPieces, options).getReader());
};
