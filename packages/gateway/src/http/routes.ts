import type { Hono } from 'hono';
import type { BlankEnv, BlankInput, Schema } from 'hono/types';
import type { JSONParsed } from 'hono/utils/types';
import type { Asked } from './exchange.js';

/** A stream in place of JSON, with its media type. */
export class StreamAnswer {
  readonly stream: ReadableStream<Uint8Array>;
  readonly type: string;

  constructor(stream: ReadableStream<Uint8Array>, type: string) {
    this.stream = stream;
    this.type = type;
  }
}

/** The names in a path: `:name` stands for one part of it. */
type NameIn<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? NameIn<Part> | NameIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

type Params<Path extends string> = Readonly<Record<NameIn<Path>, string>>;

type ParamInput<Path extends string> = [NameIn<Path>] extends [never]
  ? BlankInput
  : { param: Record<NameIn<Path>, string> };

type Output<Result> = Awaited<Result> extends StreamAnswer ? ReadableStream : JSONParsed<Awaited<Result>>;

/** A route in the words of Hono's typed client. */
type Route<Method extends string, Path extends string, Input, Result> = {
  [P in Path]: {
    [M in `$${Method}`]: {
      input: Input & ParamInput<Path>;
      output: Output<Result>;
      outputFormat: Awaited<Result> extends StreamAnswer ? 'body' : 'json';
      status: 200;
    };
  };
};

/** Checks a body that was parsed. */
export type ReadBody<Body> = (value: unknown) => Body | Promise<Body>;

type Answering = (
  asked: Asked,
  params: Readonly<Record<string, string>>,
  parseBody: () => Promise<unknown>,
) => unknown;

/** A list of routes, each with its type. */
export interface Routes<Known> {
  get<Path extends string, Result extends object>(
    path: Path,
    answer: (asked: Asked, params: Params<Path>) => Result,
  ): Routes<Known & Route<'get', Path, BlankInput, Result>>;
  post<Path extends string, Body, Result extends object>(
    path: Path,
    readBody: ReadBody<Body>,
    answer: (asked: Asked, params: Params<Path>, body: Body) => Result,
  ): Routes<Known & Route<'post', Path, { json: Body }, Result>>;
  /** The route of a request; `HEAD` asks what `GET` does. */
  find(asked: Asked): ((parseBody: () => Promise<unknown>) => unknown) | undefined;
}

/** The type by which Hono's client (`hc`) knows a list of routes. */
export type ClientOf<R> =
  R extends Routes<infer Known> ? Hono<BlankEnv, Known extends Schema ? Known : never, '/'> : never;

/** Creates an empty list of routes. */
export const createRoutes = (): Routes<unknown> => {
  const list: { method: string; parts: readonly string[]; answer: Answering }[] = [];
  const add = (method: string, path: string, answer: Answering): void =>
    void list.push({ method, parts: path.split('/'), answer });
  const routes: Routes<unknown> = {
    get(path, answer) {
      // The names of a path are those that `match` finds in it.
      add('GET', path, (asked, params) => answer(asked, params as Params<typeof path>));
      return routes;
    },
    post(path, readBody, answer) {
      add('POST', path, async (asked, params, parseBody) =>
        // As above.
        answer(asked, params as Params<typeof path>, await readBody(await parseBody())),
      );
      return routes;
    },
    find(asked) {
      const method = asked.method === 'HEAD' ? 'GET' : asked.method;
      const parts = asked.url.pathname.split('/');
      for (const route of list) {
        const params = route.method === method ? match(route.parts, parts) : undefined;
        if (params !== undefined) return (parseBody) => route.answer(asked, params, parseBody);
      }
      return undefined;
    },
  };
  return routes;
};

const match = (
  wanted: readonly string[],
  parts: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const given = parts[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== given) return undefined;
      continue;
    }
    const decoded = decode(given);
    if (decoded === undefined || decoded === '') return undefined;
    params[part.slice(1)] = decoded;
  }
  return params;
};

const decode = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
};
