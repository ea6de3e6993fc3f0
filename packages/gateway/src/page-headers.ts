import type { GatewayAddress } from './gateway-address.js';

/**
 * The headers of every file of the page. A script that got into it would command processes (T18), so nothing but
 * its own files runs, only the sandbox may be framed, and nobody may frame it.
 */
export const toPageHeaders = ({ sandboxOrigin, opaqueBase }: GatewayAddress): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${sandboxOrigin} ${opaqueBase}`,
    `frame-src ${sandboxOrigin} ${opaqueBase}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});
