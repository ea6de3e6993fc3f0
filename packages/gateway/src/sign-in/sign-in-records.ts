/** How an issuer knows us. */
export interface OwnClient {
  id: string;
  secret?: string;
  /** How the token endpoint wants to be told: of the registration. */
  method?: string;
  redirectUri: string;
  /** True for one that the user registered and gave. */
  isGiven?: boolean;
}

/** What an issuer gave for one account. Never leaves the gateway but to the server's own origin. */
export interface TokenSet {
  access: string;
  refresh?: string;
  /** In milliseconds of the system's clock; without it the server says when it is over. */
  expiresAt?: number;
  scopes: string[];
  /** Who it is, if the issuer says so. */
  subject?: string;
  label?: string;
}

/** One account at one server. */
export interface AccountRecord {
  /** Of the identity: two accounts are two servers to apps. */
  id: string;
  label: string;
  issuer: string;
  /** The exact origin that the tokens are for. */
  origin: string;
  /** The server's whole address: another path is another server. */
  server: string;
  resource: string;
  client: OwnClient;
  /** The scopes that were asked for; issuers name only some of those they gave. */
  asked: string[];
  tokens: TokenSet;
  /** True for the one that is used. */
  isCurrent: boolean;
}

/** Everything that sign-ins leave behind. */
export interface SignInRecords {
  accounts: AccountRecord[];
  /** By issuer. */
  clients: Record<string, OwnClient>;
}
