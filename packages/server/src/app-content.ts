import { isRecord } from '@casement/protocol/start';
import { isExtAppsMimeType, isOpenAiMimeType } from './app-mime.js';
import { AppServerError } from './app-server-error.js';
import { toContentHash } from './app-template.js';

type Fields = Record<string, unknown>;

/** The SHA-256 of an app's document, in hexadecimal: equal in listing and content while nothing changed. */
export const CONTENT_HASH_META_KEY = 'casement/sha256';

/** Changes with the document or with its metadata, like an HTTP ETag: equal means nothing has to be built anew. */
export const ETAG_META_KEY = 'casement/etag';

/** The keys by which a host knows whether what it holds is still what the server would send. */
export const toVersionMeta = (content: string | Uint8Array, meta: Fields): Fields => {
  const hash = toContentHash(content);
  return {
    [CONTENT_HASH_META_KEY]: hash,
    [ETAG_META_KEY]: `"${toContentHash(`${hash}\n${JSON.stringify(meta)}`).slice(0, 32)}"`,
  };
};

/** The one content item of an app. */
export const toAppContent = (uri: string, mimeType: string, html: string, meta: Fields): Fields => ({
  uri,
  mimeType,
  text: html,
  _meta: { ...meta, ...toVersionMeta(html, meta) },
});

/** Completes what an author returned as a whole result: what was said stays, what was left out is filled. */
export const completeResult = (result: unknown, uri: string, mimeType: string, meta: Fields): unknown => {
  if (!isRecord(result) || !Array.isArray(result['contents'])) return result;
  const contents: readonly unknown[] = result['contents'];
  return {
    ...result,
    contents: contents.map((item) => {
      if (!isRecord(item)) return item;
      const isApp = item['uri'] === undefined || item['uri'] === uri;
      const complete = isApp ? completeItem(item, uri, mimeType, meta) : item;
      assertReservation(complete);
      return complete;
    }),
  };
};

/** Addresses that begin with ui:// are those of apps (SERVER-019). */
const assertReservation = ({ uri, mimeType }: Fields): void => {
  if (!/^ui:/i.test(String(uri)) || isExtAppsMimeType(mimeType) || isOpenAiMimeType(mimeType)) return;
  throw new AppServerError(
    'resource-mime',
    `The content at ${String(uri)} has the media type ${String(mimeType)}, but ui:// is for apps.`,
    'Give what is no app an address of another scheme.',
  );
};

const completeItem = (item: Fields, uri: string, mimeType: string, meta: Fields): Fields => {
  const own = isRecord(item['_meta']) ? item['_meta'] : {};
  const ui = { ...toFields(meta['ui']), ...toFields(own['ui']) };
  const merged = { ...meta, ...own, ...(Object.keys(ui).length > 0 && { ui }) };
  const { text, blob } = item;
  const content =
    typeof text === 'string' ? text : typeof blob === 'string' ? Buffer.from(blob, 'base64') : undefined;
  return {
    ...item,
    uri,
    mimeType: item['mimeType'] ?? mimeType,
    _meta: { ...(content === undefined ? {} : toVersionMeta(content, merged)), ...merged },
  };
};

const toFields = (value: unknown): Fields => (isRecord(value) ? value : {});
