/** How a body is read, piece by piece. */
type ReadPieces = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, void, undefined>;

/**
 * A body in other pieces, each made only when it is asked for. `signal` is that of the request: fetch alone would not
 * end a connection whose Response nobody holds any more.
 */
export const createPieceStream = (
  body: ReadableStream<Uint8Array>,
  readPieces: ReadPieces,
  { signal, onEnd = () => undefined }: { signal?: AbortSignal | null | undefined; onEnd?: () => void } = {},
): ReadableStream<Uint8Array> => {
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
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done !== true) {
            controller.enqueue(value);
            return;
          }
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        end();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
};
