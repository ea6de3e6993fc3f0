import * as v from 'valibot';
import { anyRecord, openObject, optional } from './open-object.js';

const text = v.string();
const shared = { annotations: optional(anyRecord), _meta: optional(anyRecord) };

/** Body of a resource as resources/read returns it: one of text or base64 blob. */
export const resourceContentsSchema = v.union([
  openObject({ uri: text, mimeType: optional(text), text: text, _meta: optional(anyRecord) }),
  openObject({ uri: text, mimeType: optional(text), blob: text, _meta: optional(anyRecord) }),
]);
export type ResourceContents = v.InferOutput<typeof resourceContentsSchema>;

/** A resource carried inside a message. */
export const embeddedResourceSchema = openObject({
  type: v.literal('resource'),
  resource: resourceContentsSchema,
  ...shared,
});
export type EmbeddedResource = v.InferOutput<typeof embeddedResourceSchema>;

const listed = {
  uri: text,
  name: text,
  title: optional(text),
  description: optional(text),
  mimeType: optional(text),
  size: optional(v.number()),
  ...shared,
};

/** A pointer to a resource. */
export const resourceLinkSchema = openObject({ type: v.literal('resource_link'), ...listed });
export type ResourceLink = v.InferOutput<typeof resourceLinkSchema>;

/** One entry of resources/list. */
export const resourceListingSchema = openObject(listed);
export type ResourceListing = v.InferOutput<typeof resourceListingSchema>;

/** One piece of content in a tool result or message. */
export const contentBlockSchema = v.variant('type', [
  openObject({ type: v.literal('text'), text: text, ...shared }),
  openObject({ type: v.literal('image'), data: text, mimeType: text, ...shared }),
  openObject({ type: v.literal('audio'), data: text, mimeType: text, ...shared }),
  resourceLinkSchema,
  embeddedResourceSchema,
]);
export type ContentBlock = v.InferOutput<typeof contentBlockSchema>;

/** The answer to resources/read. */
export const readResourceResultSchema = openObject({
  contents: v.array(resourceContentsSchema),
  _meta: optional(anyRecord),
});
export type ReadResourceResult = v.InferOutput<typeof readResourceResultSchema>;
