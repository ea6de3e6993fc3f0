// A real authorization server (`oidc-provider`) on a free port of this machine, for tests. It asks for a user name,
// takes every password, and asks for consent. Prints its issuer as the first line.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const settings = JSON.parse(process.argv[2] ?? '{}');
const { accessTokenTtl = 3600, resource, registration = true } = settings;

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'resource-server',
        client_secret: 'of-the-resource-server',
        grant_types: [],
        redirect_uris: [],
        response_types: [],
      },
      {
        client_id: 'registered-by-hand',
        client_secret: 'secret-of-the-client',
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/oauth/callback'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'offline_access', 'mcp:read', 'mcp:write'],
    cookies: { keys: ['for tests'] },
    claims: { openid: ['sub', 'preferred_username'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: `${id} of the tests` }),
    }),
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: registration },
      revocation: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'mcp:read mcp:write',
          audience: resource,
          accessTokenFormat: 'opaque',
        }),
        useGrantedResource: () => true,
      },
    },
    ttl: { AccessToken: accessTokenTtl },
    clientBasedCORS: () => false,
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});

process.stdin.on('end', () => process.exit()).resume();
