import { request, type IncomingHttpHeaders } from 'node:http';

interface RawRequest {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
  readonly address?: string;
}

interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends exactly these headers, Host included, which `fetch` would not let us do; a stream is cut after its head. */
export const sendRaw = ({
  port,
  path,
  method = 'GET',
  headers = {},
  body,
  address = '127.0.0.1',
}: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    // As a flat list the headers go out as they are, a repeated Host included, and nothing is added.
    const isFramed = body === undefined || 'Transfer-Encoding' in headers;
    const framed = isFramed ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
    const flat = Object.entries(framed).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => [name, one]),
    );
    const outgoing = request({
      host: address,
      port,
      path,
      method,
      headers: flat,
      setHost: false,
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const answer = { status: incoming.statusCode ?? 0, headers: incoming.headers };
      if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
        incoming.destroy();
        resolve({ ...answer, body: '' });
        return;
      }
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('end', () => resolve({ ...answer, body: text }));
    });
    outgoing.end(body);
  });
