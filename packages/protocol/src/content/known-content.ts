import type { ContentBlock, ResourceContents } from '../messages/content-schemas.js';

/**
 * Rebuilds a content block from the keys that its `type` has and a question shows. Only the result reaches a model, a
 * question or a hook of the embedder. A key of another type, such as `text` beside a picture, is dropped.
 */
export const toKnownBlock = (block: ContentBlock): ContentBlock => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource_link': {
      const { type, uri, name, title, description, mimeType } = block;
      return withoutAbsent({ type, uri, name, title, description, mimeType });
    }
    case 'resource':
      return { type: 'resource', resource: toKnownResource(block.resource) };
  }
};

const toKnownResource = (resource: ResourceContents): ResourceContents => {
  const { uri, mimeType } = resource;
  return 'text' in resource
    ? withoutAbsent({ uri, mimeType, text: resource.text })
    : withoutAbsent({ uri, mimeType, blob: resource.blob });
};

/** Absent keys stay absent: a key with nothing in it is another thing on the wire. */
const withoutAbsent = <T extends object>(value: T): T =>
  // The keys left out are optional ones.
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
