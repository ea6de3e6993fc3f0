import type { ServerSummary } from '@casement/gateway';
import type { AppSnapshot } from '@casement/host';
import type { CspReport } from '../connection/gateway-client.js';

/** Everything the page knows of an app that the doctor looks at. */
export interface ExaminedApp {
  readonly snapshot: AppSnapshot;
  /** The tool as its server lists it. */
  readonly tool?: unknown;
  /** All tools that server lists. */
  readonly tools?: readonly unknown[];
  /** The document, where it is still known. */
  readonly html?: string | undefined;
  /** What its call gave, once it gave something. */
  readonly result?: unknown;
  readonly server?: ServerSummary | undefined;
  /** What the browser itself reported as blocked, of all apps. */
  readonly reports: readonly CspReport[];
}
