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
  /** The content item that the document came in, without its text. */
  readonly item?: unknown;
  /** What its call gave, once it gave something. */
  readonly result?: unknown;
  readonly server?: ListedServer['summary'] | undefined;
  /** What the browser itself reported as blocked, of all apps. */
  readonly reports: readonly CspReport[];
}

/** An app, and by what names and calls it is known; of one that never was there nothing is. */
interface NamedApp extends Pick<ExaminedApp, 'snapshot'> {
  readonly server?: string | undefined;
  readonly tool?: string | undefined;
  readonly result?: unknown;
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
    item: resource && server?.peekItem(resource.uri),
    ...(server ? { tools: server.tools } : {}),
  };
};

/** The same of an app that knows its server and its tool by their names, as those of the chat do. */
export const toNamedExaminedApp = (
  { snapshot, server: name, tool: toolName, result }: NamedApp,
  { servers, reports }: { readonly servers: readonly ListedServer[] } & Pick<ExaminedApp, 'reports'>,
): ExaminedApp => {
  const server = servers.find(({ port }) => port.name === name);
  const tool = server?.tools.find((one) => one.name === toolName);
  return toExaminedApp({ snapshot, tool, reports, ...(result === undefined ? {} : { result }) }, server);
};
