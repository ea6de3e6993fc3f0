import { CasementError } from '@casement/protocol/basics';
import { Hono } from 'hono';
import { createApi, type ApiParts } from './api.js';
import { toErrorResponse } from './api-errors.js';
import { guardHost } from './api-guards.js';
import { readPageFile, toPageHeaders } from './page-files.js';

/** Creates the page server: the API under /api, the page's files everywhere else, all behind the Host guard. */
export const createPageApp = (parts: ApiParts & { pageDir: string }) =>
  new Hono()
    .onError(toErrorResponse)
    .use(guardHost(parts.address))
    .route('/api', createApi(parts))
    .all('*', async (c) => {
      if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
        throw new CasementError('not-found', 'There is nothing to send to here.');
      }
      const headers = toPageHeaders(parts.address);
      const file = await readPageFile(parts.pageDir, c.req.path);
      if (file === undefined) return c.text('Not found', 404, { ...headers, 'Cache-Control': 'no-store' });
      return c.body(file.body, 200, { ...headers, ...file.headers });
    });

/** The type of the HTTP API, for Hono's typed client: `hc<GatewayApi>(origin)`. */
export type GatewayApi = ReturnType<typeof createPageApp>;
