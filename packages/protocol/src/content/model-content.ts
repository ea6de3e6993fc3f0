import type { ContentBlock } from '../messages/content-schemas.js';

const shownImages: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A picture in a form that models, and people, are shown. */
export interface ModelImage {
  data: string;
  mediaType: string;
}

/** The picture in a block; anything but plain base64 is none, as some would fetch a text that looks like an address. */
export const toModelImage = (block: ContentBlock): ModelImage | undefined =>
  // What an app asks a model with is not checked block by block.
  block.type === 'image' &&
  shownImages.has(block.mimeType) &&
  typeof block.data === 'string' &&
  base64.test(block.data)
    ? { data: block.data, mediaType: block.mimeType }
    : undefined;

const toSize = (data: string): string => `${Math.ceil((data.length * 3) / 4 / 1024)} KB`;

const toList = (parts: readonly (string | undefined)[]): string =>
  [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(', ');

/** A block in words, as a model reads it: its text, or what it is where a model cannot be shown the thing itself. */
export const toModelText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${toSize(block.data)}: not shown to the model]`;
    case 'resource_link': {
      const { uri, title, name, description, mimeType } = block;
      return `[resource ${uri}: ${toList([title, name, description, mimeType])}]`;
    }
    case 'resource': {
      const { uri, mimeType, ...contents } = block.resource;
      if ('text' in contents) return `[resource ${toList([uri, mimeType])}]\n${contents.text}`;
      return `[resource ${uri}, ${mimeType ?? 'unknown type'}, ${toSize(contents.blob)}: not shown to the model]`;
    }
  }
};
