/** The bytes of an answer, as far as the official transports and ours read them; a stream of `fetch` has all of this. */
export interface PlainBody {
  getReader(): PlainReader;
  cancel(reason?: unknown): Promise<void>;
}

/** Reads a body, one piece after another. */
interface PlainReader {
  read(): Promise<PlainPart>;
  cancel(reason?: unknown): Promise<void>;
}

type PlainPart =
  | { readonly done: false; readonly value: Uint8Array }
  | { readonly done: true; readonly value?: Uint8Array | undefined };

/** A body that can be made a stream of the web, which the official transports want where the command's build has not changed them. */
export interface PipedBody extends PlainBody {
  pipeThrough<Piece>(pair: ReadableWritablePair<Piece, BufferSource>): ReadableStream<Piece>;
}

/** Where a body comes from. */
interface BodySource {
  /** The next piece, once it is there; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Nobody reads on. */
  cancel(): void;
}

const ended: PlainPart = { done: true };

/**
 * Makes a body that asks its source for a piece whenever somebody asks it, and never before. Node's own streams of the web
 * do that, too, but have to be loaded, and take several steps for each piece.
 */
export const createPlainBody = (source: BodySource): PipedBody => {
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let leave: (() => void) | undefined;
  const readNext = (): Promise<PlainPart> =>
    new Promise((resolve, reject) => {
      // Who cancels while a piece is awaited gets the end at once.
      leave = () => resolve(ended);
      source
        .next()
        .then(
          (value) => {
            if (value === undefined) isOver = true;
            resolve(value === undefined || isOver ? ended : { done: false, value });
          },
          (error: unknown) => {
            if (!isOver) failure = { error };
            reject(error);
          },
        )
        .finally(() => (leave = undefined));
    });
  const reader: PlainReader = {
    async read() {
      if (failure !== undefined) throw failure.error;
      return isOver ? ended : readNext();
    },
    cancel() {
      if (isOver || failure !== undefined) return Promise.resolve();
      isOver = true;
      leave?.();
      source.cancel();
      return Promise.resolve();
    },
  };
  return {
    getReader: () => reader,
    cancel: reader.cancel,
    // What takes bytes takes these; the types ask in which kind of memory they lie.
    pipeThrough: (pair) => toStream(reader).pipeThrough(pair as never),
  };
};

/** What is read as a stream of the web. */
export const toStream = (reader: PlainReader): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const part = await reader.read();
        if (part.done) controller.close();
        else controller.enqueue(part.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
