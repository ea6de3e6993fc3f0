import { createHash } from 'node:crypto';
import { CasementError } from '@casement/protocol/start';
import * as v from 'valibot';
import type { Answerer } from './exchange.js';
import { jsonBody } from './json-body.js';
import type { Routes } from './routes.js';
import type { GatewayServer } from '../servers/gateway-server.js';
import type { ServerSignIn } from '../sign-in/server-sign-in.js';
import type { SignIns } from '../sign-in/sign-ins.js';

const word = (maxLength: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));

/** The user's yes: to the issuer that the question named. */
const beginBody = v.object({
  issuerHost: word(300),
  isNewAccount: v.optional(v.boolean()),
  client: v.optional(v.object({ id: word(2000), secret: v.optional(word(2000)) })),
});

const pasteBody = v.object({ address: word(16_000) });
const accountBody = v.object({ account: word(200) });

/** Adds the paths by which the page's user signs in and out; all of them stand behind the token. */
export const addSignInRoutes = <Known>(
  routes: Routes<Known>,
  signIns: SignIns,
  find: (name: string) => GatewayServer,
) => {
  const findSignIn = (name: string): { server: GatewayServer; signIn: ServerSignIn } => {
    const server = find(name);
    if (server.signIn !== undefined) return { server, signIn: server.signIn };
    throw new CasementError('bad-request', 'This server takes no sign-in here.', {
      hint: 'It is no address, may not start yet, or its configuration has an Authorization header already.',
    });
  };
  return routes
    .post('/api/servers/:name/sign-in', jsonBody(beginBody), async (_asked, { name }, body) => {
      const { signIn } = findSignIn(name);
      const { client, isNewAccount = false, issuerHost } = body;
      const options = { issuerHost, isNewAccount, ...(client !== undefined && { client: toClient(client) }) };
      return signIns.begin(signIn, options);
    })
    .post('/api/servers/:name/sign-in/paste', jsonBody(pasteBody), async (_asked, { name }, { address }) => {
      const { server, signIn } = findSignIn(name);
      await signIns.finish(signIns.parsePasted(address), signIn);
      return { server: server.summary() };
    })
    .post('/api/servers/:name/sign-in/decline', jsonBody(v.object({})), (_asked, { name }) => {
      const { server, signIn } = findSignIn(name);
      signIn.decline();
      return { server: server.summary() };
    })
    .post('/api/servers/:name/accounts/use', jsonBody(accountBody), async (_asked, { name }, { account }) => {
      const { server, signIn } = findSignIn(name);
      await signIn.use(account);
      return { server: server.summary() };
    })
    .post(
      '/api/servers/:name/accounts/expire',
      jsonBody(accountBody),
      async (_asked, { name }, { account }) => {
        const { server, signIn } = findSignIn(name);
        await signIn.expire(account);
        return { server: server.summary() };
      },
    )
    .post(
      '/api/servers/:name/accounts/sign-out',
      jsonBody(accountBody),
      async (_asked, { name }, { account }) => {
        const { server, signIn } = findSignIn(name);
        const isRevoked = await signIn.signOut(account);
        return { server: server.summary(), isRevoked };
      },
    );
};

const toClient = ({ id, secret }: { id: string; secret?: string | undefined }) => ({
  id,
  ...(secret !== undefined && { secret }),
});

const style =
  'body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32rem;padding:0 1rem;color-scheme:light dark}';
const styleHash = createHash('sha256').update(style).digest('base64');

/** Two pages without a word of anybody else, and nothing that runs. */
const toPage = (title: string, words: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${title} · Casement</title><style>${style}</style><h1>${title}</h1><p>${words}</p></html>`;

const pages = {
  done: toPage('You are signed in', 'You can close this tab and go on in Casement.'),
  failed: toPage('You are not signed in', 'You can close this tab. Casement’s own page says why.'),
};

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Answers the browser that an issuer sends back: reflects nothing and says that the tab can be closed. */
export const answerCallback =
  (signIns: SignIns): Answerer =>
  async ({ url }) => {
    try {
      await signIns.finish(url.searchParams);
      return { status: 200, headers: pageHeaders, body: pages.done };
    } catch (error) {
      return { status: error instanceof CasementError ? 400 : 500, headers: pageHeaders, body: pages.failed };
    }
  };
