import { isRecord } from '@casement/protocol';
import { RESOURCE_MIME_TYPE } from './app-mime.js';
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
export const toAppContent = (uri: string, html: string, meta: Fields): Fields => ({
  uri,
  mimeType: RESOURCE_MIME_TYPE,
  text: html,
  _meta: { ...meta, ...toVersionMeta(html, meta) },
});

/** Completes what an author returned as a whole result: what was said stays, what was left out is filled. */
export const completeResult = (result: unknown, uri: string, meta: Fields): unknown => {
  if (!isRecord(result) || !Array.isArray(result['contents'])) return result;
  const contents: readonly unknown[] = result['contents'];
  return {
    ...result,
    contents: contents.map((item) =>
      isRecord(item) && (item['uri'] === undefined || item['uri'] === uri)
        ? completeItem(item, uri, meta)
        : item,
    ),
  };
};

const completeItem = (item: Fields, uri: string, meta: Fields): Fields => {
  const own = isRecord(item['_meta']) ? item['_meta'] : {};
  const ui = { ...toFields(meta['ui']), ...toFields(own['ui']) };
  const merged = { ...meta, ...own, ...(Object.keys(ui).length > 0 && { ui }) };
  const { text, blob } = item;
  const content =
    typeof text === 'string' ? text : typeof blob === 'string' ? Buffer.from(blob, 'base64') : undefined;
  return {
    ...item,
    uri,
    mimeType: item['mimeType'] ?? RESOURCE_MIME_TYPE,
    _meta: { ...(content === undefined ? {} : toVersionMeta(content, merged)), ...merged },
  };
};

const toFields = (value: unknown): Fields => (isRecord(value) ? value : {});
