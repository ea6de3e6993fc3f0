import { isRecord } from '@casement/protocol/start';
import { EXTENSION_ID } from './app-mime.js';

/** The capability of a client that can show apps. */
interface UiCapability {
  mimeTypes?: string[];
  [key: string]: unknown;
}

/** Since 2026-07-28 every request brings its client's capabilities along under this key. */
const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Reads what the client said about apps; undefined when it cannot show them, so that a tool answers with text alone.
 * A source is a request's context (2026-07-28), the server (2025-11-25) or capabilities; the first that knows counts.
 */
export const getUiCapability = (...sources: readonly unknown[]): UiCapability | undefined => {
  for (const source of sources) {
    const capabilities = readCapabilities(source);
    if (!capabilities) continue;
    const { extensions, experimental } = capabilities;
    for (const place of [extensions, experimental]) {
      const declared = isRecord(place) ? place[EXTENSION_ID] : undefined;
      // The index signature of the type allows every record; only mimeTypes is promised to be a list of strings.
      if (isRecord(declared)) return toUiCapability(declared);
    }
    return undefined;
  }
  return undefined;
};

const toUiCapability = ({ mimeTypes, ...rest }: Record<string, unknown>): UiCapability => ({
  ...rest,
  ...(Array.isArray(mimeTypes) && {
    mimeTypes: mimeTypes.filter((type): type is string => typeof type === 'string'),
  }),
});

const readCapabilities = (source: unknown): Record<string, unknown> | undefined => {
  if (!isRecord(source)) return undefined;
  const { mcpReq, server, getClientCapabilities } = source;
  if (isRecord(mcpReq)) {
    const { envelope } = mcpReq;
    const declared = isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_KEY] : undefined;
    return isRecord(declared) ? declared : undefined;
  }
  if (isRecord(server) && typeof server['getClientCapabilities'] === 'function') {
    return readCapabilities(server);
  }
  if (typeof getClientCapabilities === 'function') {
    const declared: unknown = getClientCapabilities.call(source);
    return isRecord(declared) ? declared : undefined;
  }
  // The context of a 1.x request: it knows nothing of the client.
  if ('signal' in source && 'requestId' in source) return undefined;
  return source;
};
