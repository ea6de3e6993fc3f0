import type { AppSnapshot } from '@casement/host';
import type { CspReport } from '../connection/gateway-client.js';
import type { ListedServer } from '../servers/server-list.js';

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
  readonly server?: ListedServer['summary'] | undefined;
  /** What the browser itself reported as blocked, of all apps. */
  readonly reports: readonly CspReport[];
}

/** An app with what is known of its server, which may be gone. */
export const toExaminedApp = (
  app: Pick<ExaminedApp, 'snapshot' | 'tool' | 'result' | 'reports'>,
  server: ListedServer | undefined,
): ExaminedApp => {
  const { resource } = app.snapshot;
  return {
    ...app,
    server: server?.summary,
    html: resource && server?.resources.peek(resource.uri)?.html,
    ...(server ? { tools: server.tools } : {}),
  };
};
