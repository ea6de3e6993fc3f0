import type { PlainBody } from '../reading/plain-body.js';

/**
 * Headers as the official transports use them. Node's own class is a part of `fetch`, which would be loaded for nothing but
 * this; the build of the command gives the official client this one.
 */
export class PlainHeaders {
  readonly #values = new Map<string, string>();

  constructor(init?: PlainHeaders | Iterable<readonly [string, string]> | Readonly<Record<string, string>>) {
    const pairs = init === undefined ? [] : Symbol.iterator in init ? init : Object.entries(init);
    // A record of a caller that knows no iterator, or pairs; both give names and values.
    for (const [name, value] of pairs as Iterable<readonly [string, string]>) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }

  append(name: string, value: string): void {
    const known = this.get(name);
    this.set(name, known === null ? value : `${known}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

/** What a server answered over HTTP, as far as the official transports look at it. */
export interface PlainResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly redirected: boolean;
  readonly url: string;
  readonly headers: PlainHeaders;
  readonly body: PlainBody | null;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

/** The head of an answer. */
export type ResponseHead = Pick<PlainResponse, 'status' | 'statusText' | 'headers' | 'url'>;

/** Makes an answer of its head and its body. */
export const toPlainResponse = (
  { status, statusText, headers, url }: ResponseHead,
  body: PlainResponse['body'],
): PlainResponse => {
  const text = async (): Promise<string> => {
    if (body === null) return '';
    const decoder = new TextDecoder();
    const parts: string[] = [];
    const reader = body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read())
      parts.push(decoder.decode(part.value, { stream: true }));
    return parts.join('') + decoder.decode();
  };
  return {
    status,
    statusText,
    ok: status >= 200 && status < 300,
    redirected: false,
    url,
    headers,
    body,
    text,
    json: async () => JSON.parse(await text()) as unknown,
  };
};
