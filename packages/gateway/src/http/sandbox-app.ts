import { Readable } from 'node:stream';
import type { CspReport } from '@casement/sandbox/handler';
import { mayHaveBody, type Answer, type Answerer, type Asked } from './exchange.js';
import { isSandboxHost, type GatewayAddress } from './gateway-address.js';

/** Creates the sandbox server: a separate server without an API, which answers only to its own names (T2, C04). */
export const createSandboxApp = (
  address: GatewayAddress,
  { allowLoopback, onReport }: { allowLoopback: boolean; onReport(report: CspReport): void },
): Answerer => {
  const createHandler = async () => {
    // With its pages it is half of what a gateway would load before it listens.
    const { createSandboxHandler } = await import('@casement/sandbox/handler');
    return createSandboxHandler(
      {
        base: address.sandboxBase,
        otherSiteBase: address.otherSiteBase,
        opaqueBase: address.opaqueBase,
        hostOrigins: address.hostOrigins,
        allowLoopback,
        onReport,
      },
      ({ status, headers, body }): Answer => ({
        status,
        headers,
        body: body instanceof ArrayBuffer ? new Uint8Array(body) : body,
      }),
    );
  };
  let handler: ReturnType<typeof createHandler> | undefined;
  return async (asked) => {
    if (!isSandboxHost(asked.headers.host ?? '', address)) return refusal;
    handler ??= createHandler();
    return (await handler)(toRequest(asked));
  };
};

const refusal = {
  status: 403,
  // A refusal that a frame could show still carries a policy.
  headers: {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  },
};

const toRequest = (asked: Asked) => {
  let body: ReadableStream<Uint8Array> | null | undefined;
  return {
    method: asked.method,
    url: asked.url.href,
    headers: { get: (name: string) => readHeader(asked.headers[name.toLowerCase()]) },
    get body(): ReadableStream<Uint8Array> | null {
      // Made once, however often it is looked at: a second stream would find what the first has left.
      body ??= mayHaveBody(asked) ? toStream(asked) : null;
      return body;
    },
  };
};

// A stream of bytes is one of `Uint8Array`; the type leaves that open.
const toStream = ({ body }: Asked): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(body)) as ReadableStream<Uint8Array>;

const readHeader = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? value.join(', ') : (value ?? null);
