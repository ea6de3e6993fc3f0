import type { CspReport } from '@casement/sandbox/handler';
import { isSandboxHost, type GatewayAddress } from './gateway-address.js';

/** Creates the sandbox server: a separate server without an API, which answers only to its own names (T2, C04). */
export const createSandboxApp = (
  address: GatewayAddress,
  { allowLoopback, onReport }: { allowLoopback: boolean; onReport(report: CspReport): void },
): ((request: Request) => Promise<Response>) => {
  const createHandler = async () => {
    // With its pages it is half of what a gateway would load before it listens.
    const { createSandboxHandler } = await import('@casement/sandbox/handler');
    return createSandboxHandler({
      base: address.sandboxBase,
      otherSiteBase: address.otherSiteBase,
      opaqueBase: address.opaqueBase,
      hostOrigins: address.hostOrigins,
      allowLoopback,
      onReport,
    });
  };
  let handler: ReturnType<typeof createHandler> | undefined;
  return async (request) => {
    if (isSandboxHost(request.headers.get('host') ?? '', address)) {
      handler ??= createHandler();
      return (await handler)(request);
    }
    return new Response(null, {
      status: 403,
      // A refusal that a frame could show still carries a policy.
      headers: {
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
      },
    });
  };
};
