import { readAnswer, type GatewayClient } from '../connection/gateway-client.js';

/** The page's requests about signing in to one server. */
export interface SignInRequests {
  begin(yes: {
    issuerHost: string;
    isNewAccount: boolean;
    client?: { id: string; secret?: string };
  }): Promise<{ address: string }>;
  paste(address: string): Promise<unknown>;
  decline(): Promise<unknown>;
  use(account: string): Promise<unknown>;
  expire(account: string): Promise<unknown>;
  signOut(account: string): Promise<unknown>;
}

/** Creates the requests about the sign-in to a server. */
export const createSignInRequests = ({ api }: Pick<GatewayClient, 'api'>, name: string): SignInRequests => {
  const { accounts, 'sign-in': signIn } = api.servers[':name'];
  const param = { name };
  return {
    begin: (json) => readAnswer(signIn.$post({ param, json })),
    paste: (address) => readAnswer(signIn.paste.$post({ param, json: { address } })),
    decline: () => readAnswer(signIn.decline.$post({ param, json: {} })),
    use: (account) => readAnswer(accounts.use.$post({ param, json: { account } })),
    expire: (account) => readAnswer(accounts.expire.$post({ param, json: { account } })),
    signOut: (account) => readAnswer(accounts['sign-out'].$post({ param, json: { account } })),
  };
};
