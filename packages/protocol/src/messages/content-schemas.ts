import * as v from 'valibot';
import { readOwn } from '../is-record.js';
import { anyRecord, finiteNumber, list, openObject, optional } from './open-object.js';

const text = v.string();
const meta = { _meta: optional(anyRecord) };
const priority = v.custom<number>(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'Expected a number from 0 to 1',
);
const shared = {
  annotations: optional(
    openObject({
      audience: optional(list(v.picklist(['user', 'assistant']))),
      priority: optional(priority),
      lastModified: optional(text),
    }),
  ),
  ...meta,
};

/** A picture that stands for a program, tool or resource. */
export const iconSchema = openObject({
  src: text,
  mimeType: optional(text),
  sizes: optional(list(text)),
  theme: optional(v.picklist(['light', 'dark'])),
});

/** Body of a resource as resources/read returns it: one of text or base64 blob. */
const resourceContentsSchema = v.union([
  openObject({ uri: text, mimeType: optional(text), text: text, ...meta }),
  openObject({ uri: text, mimeType: optional(text), blob: text, ...meta }),
]);
export type ResourceContents = v.InferOutput<typeof resourceContentsSchema>;

/** A resource carried inside a message. */
export const embeddedResourceSchema = openObject({
  type: v.literal('resource'),
  resource: resourceContentsSchema,
  ...shared,
});

const listed = {
  uri: text,
  name: text,
  title: optional(text),
  description: optional(text),
  mimeType: optional(text),
  size: optional(finiteNumber),
  icons: optional(list(iconSchema)),
  ...shared,
};

/** A pointer to a resource. */
export const resourceLinkSchema = openObject({ type: v.literal('resource_link'), ...listed });

/** One entry of resources/list. */
export const resourceListingSchema = openObject(listed);
export type ResourceListing = v.InferOutput<typeof resourceListingSchema>;

/** One entry of resources/templates/list. */
export const resourceTemplateSchema = openObject({
  uriTemplate: text,
  name: text,
  title: optional(text),
  description: optional(text),
  mimeType: optional(text),
  ...shared,
});
export type ResourceTemplate = v.InferOutput<typeof resourceTemplateSchema>;

/** One entry of prompts/list. */
export const promptSchema = openObject({
  name: text,
  title: optional(text),
  description: optional(text),
  arguments: optional(
    list(openObject({ name: text, description: optional(text), required: optional(v.boolean()) })),
  ),
  ...meta,
});
export type Prompt = v.InferOutput<typeof promptSchema>;

const textBlock = openObject({ type: v.literal('text'), text: text, ...shared });
const imageBlock = openObject({ type: v.literal('image'), data: text, mimeType: text, ...shared });
const audioBlock = openObject({ type: v.literal('audio'), data: text, mimeType: text, ...shared });

/** One piece of content in a tool result or message; chosen by its type, so that a fault is named in that type. */
export const contentBlockSchema = v.lazy((block) => {
  switch (readOwn(block, 'type')) {
    case 'image':
      return imageBlock;
    case 'audio':
      return audioBlock;
    case 'resource':
      return embeddedResourceSchema;
    case 'resource_link':
      return resourceLinkSchema;
    default:
      return textBlock;
  }
});
export type ContentBlock = v.InferOutput<typeof contentBlockSchema>;

/** The answer to resources/read. */
export const readResourceResultSchema = openObject({ contents: list(resourceContentsSchema), ...meta });
export type ReadResourceResult = v.InferOutput<typeof readResourceResultSchema>;

const page = { nextCursor: optional(text), ...meta };

/** One page of resources. */
export const listResourcesResultSchema = openObject({ resources: v.array(resourceListingSchema), ...page });

/** One page of resource templates. */
export const listResourceTemplatesResultSchema = openObject({
  resourceTemplates: v.array(resourceTemplateSchema),
  ...page,
});

/** One page of prompts. */
export const listPromptsResultSchema = openObject({ prompts: v.array(promptSchema), ...page });
