import { isRecord } from '@casement/protocol/start';
import { completeResult, toAppContent, toVersionMeta } from './app-content.js';
import { toResourceMeta } from './app-metadata.js';
import { isExtAppsMimeType, isOpenAiMimeType, RESOURCE_MIME_TYPE } from './app-mime.js';
import { AppServerError } from './app-server-error.js';
import { checkDocument, toFixedTemplate, type AppTemplate } from './app-template.js';
import type { AppResourceUi } from './app-ui.js';
import { parseAppUri } from './app-uri.js';
import { checkKeys, checkLabels, checkResourceUi } from './check-app-ui.js';
import type {
  PlainServer,
  ReadCallback,
  RegisteredResourceOf,
  ResourceServer,
  ResourceSettingsOf,
} from './official-server.js';

type Fields = Record<string, unknown>;

/** The settings of an app's resource besides its name, address and document. */
type AppResourceConfig<S extends ResourceServer> = ResourceSettingsOf<S> & {
  /** How the app wants to be shown. */
  ui?: AppResourceUi;
  /** The same as it goes over the wire, as the official helper takes it. */
  _meta?: { ui?: object; [key: string]: unknown };
};

const uiKeys = ['csp', 'permissions', 'domain', 'prefersBorder', 'openai'];

/** Registers the HTML of an app: typed, described in listing and content, with a hash to revalidate by. */
export const registerAppResource = <S extends ResourceServer>(
  server: S,
  name: string,
  uri: string,
  config: AppResourceConfig<S>,
  template: AppTemplate<ReadCallback<S>>,
): RegisteredResourceOf<S> => {
  const { ui, _meta = {}, ...settings }: Fields = config;
  const address = parseAppUri(uri);
  const mimeType = settings['mimeType'] ?? RESOURCE_MIME_TYPE;
  const isForOpenAi = isOpenAiMimeType(mimeType) && isRecord(ui) && Boolean(ui['openai']);
  const meta = toMeta(ui, _meta, isForOpenAi);
  if (typeof mimeType !== 'string' || !(isExtAppsMimeType(mimeType) || isForOpenAi)) {
    throw new AppServerError(
      'resource-mime',
      `The app ${address} has the media type ${String(mimeType)}, which is none of an app.`,
      `Leave mimeType out, or write ${RESOURCE_MIME_TYPE}.`,
    );
  }
  const fixed = toFixedTemplate(template);
  if (fixed) adviseBorder(address, meta);
  const toListing = (): Fields => ({
    ...settings,
    mimeType,
    ...toListingMeta({ ...meta, ...(fixed && toVersionMeta(fixed.readKnown(), meta)) }),
  });
  let listed = JSON.stringify(toListing());
  const refresh = (): void => {
    const listing = toListing();
    if (JSON.stringify(listing) === listed) return;
    listed = JSON.stringify(listing);
    updateListing(server, registered, listing);
  };
  const read = async (asked: URL, context: unknown): Promise<unknown> => {
    if (fixed) {
      refresh();
      return { contents: [toAppContent(address, mimeType, fixed.read(), meta)] };
    }
    // toFixedTemplate has let only functions through here.
    const result: unknown = await (template as (uri: URL, context: unknown) => unknown)(asked, context);
    if (typeof result !== 'string') return completeResult(result, address, mimeType, meta);
    checkDocument(result);
    return { contents: [toAppContent(address, mimeType, result, meta)] };
  };
  const registered = register(server, name, address, toListing(), read);
  // Clients that hold the old document hear of the new one before they ask; `read` keeps this alive as long as the server.
  fixed?.watch?.(refresh);
  return registered as RegisteredResourceOf<S>;
};

/**
 * Lists a resource anew and tells clients. The handle's own `update` does the same, but lets nobody hear when a client
 * cannot be told: after a saved file that would end the process.
 */
const updateListing = (server: ResourceServer, registered: unknown, listing: Fields): void => {
  // Both servers have these, by shape; another one has at least `update`.
  const handle = registered as { metadata?: Fields; update(updates: { metadata: Fields }): void };
  const { server: inner } = server as { server?: { sendResourceListChanged?(): Promise<void> } };
  if (!isRecord(handle.metadata) || !inner?.sendResourceListChanged) {
    handle.update({ metadata: listing });
    return;
  }
  handle.metadata = listing;
  const { isConnected } = server as { isConnected?(): boolean };
  // Who is gone needs no news; who is not reads the new document all the same.
  if (isConnected?.call(server) !== false) inner.sendResourceListChanged().catch(() => {});
};

/** The servers' own words for a second resource at an address do not say what to do. */
const register = (
  server: ResourceServer,
  name: string,
  uri: string,
  listing: Fields,
  read: (uri: URL, context: unknown) => Promise<unknown>,
): unknown => {
  try {
    // By shape every official server takes this; its own types were checked at the door.
    return (server as unknown as PlainServer).registerResource(name, uri, listing, read);
  } catch (cause) {
    if (!(cause instanceof Error) || !/already registered/i.test(cause.message)) throw cause;
    throw new AppServerError(
      'resource-uri-taken',
      `There is already an app at ${uri}.`,
      'Give this one another address, or leave the second template out to share the app.',
      { cause },
    );
  }
};

const toMeta = (ui: unknown, meta: unknown, isForOpenAi: boolean): Fields => {
  const wire = isRecord(meta) ? meta : {};
  checkLabels(wire);
  const wireUi = wire['ui'];
  if (ui === undefined) {
    if (isRecord(wireUi)) checkWireUi(wireUi);
    return wire;
  }
  if (wireUi !== undefined) {
    throw new AppServerError('ui-conflict', 'Both ui and _meta.ui are given.', 'Keep one of them.');
  }
  const checked = checkKeys(ui, 'ui', uiKeys);
  checkResourceUi(checked, 'ui');
  // Just checked, field by field.
  return { ...wire, ...toResourceMeta(checked as AppResourceUi, isForOpenAi) };
};

const checkWireUi = (ui: Fields): void => {
  checkResourceUi(ui, '_meta.ui');
  if (!Array.isArray(ui['permissions'])) return;
  throw new AppServerError(
    'permissions-invalid',
    '_meta.ui.permissions is a list, which hosts do not read.',
    'Write { camera: {} }, or give the list as ui.permissions.',
  );
};

const toListingMeta = (meta: Fields): Fields => (Object.keys(meta).length > 0 ? { _meta: meta } : {});

const advised = new Set<string>();

/** Hosts differ in what they do about a border when nothing is said (SERVER-013); told once per app, as servers may be made anew for every request. */
const adviseBorder = (uri: string, meta: Fields): void => {
  const said = isRecord(meta['ui']) ? meta['ui']['prefersBorder'] : meta['openai/widgetPrefersBorder'];
  if (said !== undefined || advised.has(uri)) return;
  advised.add(uri);
  process.emitWarning(
    `The app ${uri} does not say whether it wants a border, and hosts differ in their default.`,
    {
      code: 'PREFERS_BORDER',
      detail: 'Write prefersBorder: true or false beside its template.',
    },
  );
};
