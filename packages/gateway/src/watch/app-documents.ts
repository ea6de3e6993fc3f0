import { createHash } from 'node:crypto';
import type { ReadResourceResult } from '@casement/protocol';
import type { GatewayEvent } from '../facts/gateway-event.js';

/** A document that is another than when it was read last. */
export interface ChangedDocument {
  readonly uri: string;
  /** SHA-256 of the HTML, in hexadecimal, as `resource.hash` of an app's snapshot. */
  readonly hash: string;
}

/** What became of a document that a page reads. */
interface NotedDocument {
  /** Names exactly this answer of the server: whoever still has it need not be given it again. */
  readonly tag: string;
  /** The document, if it is another than when it was read last. */
  readonly changed?: ChangedDocument;
}

/** The documents of apps that pages read from one server: whether they are still the same. */
export interface AppDocuments {
  /** Remembers what a page is given; undefined for what is no document of an app. */
  note(uri: string, result: ReadResourceResult): NotedDocument | undefined;
  /** Reads documents again, those that were read last unless one is named, and gives those that changed. */
  look(uri?: string): Promise<readonly ChangedDocument[]>;
}

/** A server may deliver any number of addresses. */
const MAX_KNOWN = 32;
/** A page shows one app on its stage; a conversation has a few. */
const MAX_LOOKED = 4;

const toSha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** The hash of a document as pages know it. */
const toHash = (uri: string, { contents }: ReadResourceResult): string => {
  const item = contents.find((content) => content.uri === uri) ?? contents[0];
  const isText = item !== undefined && 'text' in item && typeof item.text === 'string';
  const blob = item !== undefined && 'blob' in item && typeof item.blob === 'string' ? item.blob : '';
  return toSha(isText ? String(item.text) : Buffer.from(blob, 'base64'));
};

/** Tells pages of documents that changed. */
export const tellChanged = (
  { config, publish }: { config: { name: string }; publish(event: GatewayEvent): void },
  changed: readonly ChangedDocument[],
  by: 'save' | 'look' | 'read',
): void => {
  for (const one of changed) publish({ type: 'app-changed', server: config.name, ...one, by });
};

/** Creates the memory of one server's documents; `read` asks the server. */
export const createAppDocuments = (read: (uri: string) => Promise<ReadResourceResult>): AppDocuments => {
  /** The hash of all that was delivered with a document. */
  const known = new Map<string, string>();
  const looking = new Map<string, Promise<ChangedDocument | undefined>>();

  const compare = (uri: string, result: ReadResourceResult): ChangedDocument | undefined => {
    const before = known.get(uri);
    const now = toSha(JSON.stringify(result.contents));
    known.set(uri, now);
    return before === undefined || before === now ? undefined : { uri, hash: toHash(uri, result) };
  };

  const lookAt = (uri: string): Promise<ChangedDocument | undefined> => {
    const underWay = looking.get(uri);
    if (underWay) return underWay;
    const look = read(uri)
      .then((result) => compare(uri, result))
      .finally(() => looking.delete(uri));
    looking.set(uri, look);
    return look;
  };

  return {
    note(uri, result) {
      if (!uri.startsWith('ui:')) return undefined;
      const changed = compare(uri, result);
      // The last one that a page was given stands last.
      const now = known.get(uri) ?? '';
      known.delete(uri);
      known.set(uri, now);
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '');
      const rest = JSON.stringify({ ...result, contents: undefined });
      return { tag: toSha(now + rest), ...(changed && { changed }) };
    },
    async look(uri) {
      const last = [...known.keys()].slice(-MAX_LOOKED);
      // What no page was given cannot have changed for it.
      const uris = uri === undefined ? last : known.has(uri) ? [uri] : [];
      const found = await Promise.all(uris.map(lookAt));
      return found.filter((one) => one !== undefined);
    },
  };
};
