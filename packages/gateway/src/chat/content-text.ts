import type { ContentBlock } from '@casement/protocol';

const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A picture in a form that models see. */
export interface ModelImage {
  data: string;
  mediaType: string;
}

/** The picture in a block; anything but plain base64 is none, as the SDK would fetch a text that looks like an address. */
export const toImage = (block: ContentBlock): ModelImage | undefined => {
  if (block.type !== 'image' || !shownImages.has(block.mimeType) || !base64.test(block.data))
    return undefined;
  return { data: block.data, mediaType: block.mimeType };
};

const toSize = (data: string): string => `${Math.ceil((data.length * 3) / 4 / 1024)} KB`;

/** A block in words: its text, or what it is where a model cannot be shown the thing itself. */
export const toText = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${toSize(block.data)}: not shown to the model]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${[block.title ?? block.name, block.description].filter(Boolean).join(', ')}]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `[resource ${resource.uri}]\n${resource.text}`;
      const type = resource.mimeType ?? 'unknown type';
      return `[resource ${resource.uri}, ${type}, ${toSize(resource.blob)}: not shown to the model]`;
    }
  }
};
