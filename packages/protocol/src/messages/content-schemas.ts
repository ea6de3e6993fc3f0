import { readOwn } from '../is-record.js';
import {
  anyRecord,
  array,
  boolean,
  check,
  either,
  finiteNumber,
  list,
  oneOf,
  openObject,
  text,
  type Infer,
  type Schema,
} from './schema.js';

const meta = { _meta: anyRecord };
const priority = check<number>(
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
  'a number from 0 to 1',
);
const shared = {
  annotations: openObject({}, { audience: list(oneOf('user', 'assistant')), priority, lastModified: text }),
  ...meta,
};
const titled = { title: text, description: text };
const typed = { mimeType: text };

/** A picture that stands for a program, tool or resource. */
export const iconSchema = openObject(
  { src: text },
  { ...typed, sizes: list(text), theme: oneOf('light', 'dark') },
);

/** Body of a resource as resources/read returns it: one of text or base64 blob. */
const resourceContentsSchema = either(
  'Object',
  openObject({ uri: text, text }, { ...typed, ...meta }),
  openObject({ uri: text, blob: text }, { ...typed, ...meta }),
);
export type ResourceContents = Infer<typeof resourceContentsSchema>;

/** A resource carried inside a message. */
export const embeddedResourceSchema = openObject(
  { type: oneOf('resource'), resource: resourceContentsSchema },
  shared,
);

const named = { uri: text, name: text };
const listed = { ...titled, ...typed, size: finiteNumber, icons: list(iconSchema), ...shared };

/** A pointer to a resource. */
export const resourceLinkSchema = openObject({ type: oneOf('resource_link'), ...named }, listed);

/** One entry of resources/list. */
export const resourceListingSchema = openObject(named, listed);
export type ResourceListing = Infer<typeof resourceListingSchema>;

/** One entry of resources/templates/list. */
export const resourceTemplateSchema = openObject(
  { uriTemplate: text, name: text },
  { ...titled, ...typed, ...shared },
);
export type ResourceTemplate = Infer<typeof resourceTemplateSchema>;

/** One entry of prompts/list. */
export const promptSchema = openObject(
  { name: text },
  {
    ...titled,
    arguments: list(openObject({ name: text }, { description: text, required: boolean })),
    ...meta,
  },
);
export type Prompt = Infer<typeof promptSchema>;

const media = { data: text, ...typed };
const textBlock = openObject({ type: oneOf('text'), text }, shared);
const imageBlock = openObject({ type: oneOf('image'), ...media }, shared);
const audioBlock = openObject({ type: oneOf('audio'), ...media }, shared);

/** One of five kinds of content. */
export type ContentBlock = Infer<
  | typeof textBlock
  | typeof imageBlock
  | typeof audioBlock
  | typeof embeddedResourceSchema
  | typeof resourceLinkSchema
>;

const blocks: ReadonlyMap<unknown, Schema<ContentBlock>> = new Map<unknown, Schema<ContentBlock>>([
  ['image', imageBlock],
  ['audio', audioBlock],
  ['resource', embeddedResourceSchema],
  ['resource_link', resourceLinkSchema],
]);

/** One piece of content in a tool result or message; chosen by its type, so that a fault is named in that type. */
export const contentBlockSchema: Schema<ContentBlock> = (block, path) =>
  (blocks.get(readOwn(block, 'type')) ?? textBlock)(block, path);

/** The answer to resources/read. */
export const readResourceResultSchema = openObject({ contents: list(resourceContentsSchema) }, meta);
export type ReadResourceResult = Infer<typeof readResourceResultSchema>;

const page = { nextCursor: text, ...meta };

/** One page of resources. */
export const listResourcesResultSchema = openObject({ resources: array(resourceListingSchema) }, page);

/** One page of resource templates. */
export const listResourceTemplatesResultSchema = openObject(
  { resourceTemplates: array(resourceTemplateSchema) },
  page,
);

/** One page of prompts. */
export const listPromptsResultSchema = openObject({ prompts: array(promptSchema) }, page);
