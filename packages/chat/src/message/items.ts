import type { DisplayMode } from '@casement/protocol';
import { readToolLink } from '@casement/protocol/basics';
import { displayModes, isRecord } from '@casement/protocol/start';
import type { McpAppItem, MessagePart } from './message.js';

/** The kinds of item a message is made of, under the names chat products use (S5-09, S5-83). */
export const MessageResponseTypes = { TEXT: 'text', MCP_APP: 'mcp_app' } as const;

/** One of the kinds of item. */
export type MessageResponseType = (typeof MessageResponseTypes)[keyof typeof MessageResponseTypes];

/** Plain text as an item of a message. */
interface TextItem {
  readonly response_type: typeof MessageResponseTypes.TEXT;
  readonly text: string;
}

/** Any item of a message (S5-83). */
export type GenericItem = TextItem | McpAppItem;

/** Whether an item of a message is an app. */
export const isMcpAppItem = (item: GenericItem): item is McpAppItem =>
  item.response_type === MessageResponseTypes.MCP_APP;

/** The mode an item asks for; inline unless it says otherwise (S5-18). */
export const toRequestedMode = (item: McpAppItem): DisplayMode => item.display_mode ?? 'inline';

/** What assistive technology calls an app: its label, or else its title (S5-12). */
export const toAccessibleName = (item: McpAppItem): string => {
  const label = item.aria_label?.trim();
  return label ? label : item.title;
};

/** An item as words alone: for a copy of the conversation, an announcement, or a place without frames. */
export const toItemText = (item: GenericItem): string => {
  if (!isMcpAppItem(item)) return item.text;
  const fallback = item.fallback_text?.trim();
  return fallback ? fallback : toAccessibleName(item);
};

/** The items a page wrote as parts of a message, so that an app goes where any other item goes (S5-20). */
export const toMessageParts = (items: readonly GenericItem[]): readonly MessagePart[] =>
  items.map((item) => (isMcpAppItem(item) ? { type: 'mcp-app', item } : { type: 'text', text: item.text }));

/** What is wrong with one field of an item; `field` is empty when it is the item as a whole. */
interface ItemProblem {
  readonly code: 'not-an-object' | 'unknown-type' | 'missing' | 'wrong-type' | 'not-allowed';
  readonly field: string;
  readonly message: string;
}

/** An item that was understood, or everything that is wrong with it. */
export type ParsedItem<T extends GenericItem> =
  { readonly ok: true; readonly item: T } | { readonly ok: false; readonly problems: readonly ItemProblem[] };

const requiredNames = ['title', 'mcp_app_id'] as const;
const optionalNames = [
  'aria_label',
  'fallback_text',
  'resource_uri',
  'resource_html',
  'tool_name',
  'tool_call_id',
  'display_mode',
  'server',
] as const;

const toKind = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`.replace(/^a (?=[aeou])/, 'an ');
};

const wrongType = (field: string, value: unknown): ItemProblem => ({
  code: 'wrong-type',
  field,
  message: `${field} must be a string, not ${toKind(value)}.`,
});

const findRequiredProblem = (field: string, value: unknown): ItemProblem | undefined => {
  if (value === undefined) return { code: 'missing', field, message: `${field} is required.` };
  if (typeof value !== 'string') return wrongType(field, value);
  if (value.trim() !== '') return undefined;
  return { code: 'missing', field, message: `${field} is required and must not be empty.` };
};

const findOptionalProblem = (field: string, value: unknown): ItemProblem | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return wrongType(field, value);
  const refuse = (message: string): ItemProblem => ({ code: 'not-allowed', field, message });
  // The one rule for these addresses is the protocol's.
  if (field === 'resource_uri' && !readToolLink({ _meta: { ui: { resourceUri: value } } }).resourceUri) {
    return refuse('resource_uri must be an address in the ui:// scheme, without spaces or dot segments.');
  }
  if (field === 'resource_html' && value.trim() === '') {
    return refuse('resource_html is empty; leave it out to have resource_uri read.');
  }
  if (field === 'display_mode' && !displayModes.some((mode) => mode === value)) {
    return refuse(`display_mode must be one of ${displayModes.join(', ')}.`);
  }
  return undefined;
};

const refuse = (problem: ItemProblem): { ok: false; problems: readonly ItemProblem[] } => ({
  ok: false,
  problems: [problem],
});

const notAnObject = (value: unknown): ItemProblem => ({
  code: 'not-an-object',
  field: '',
  message: `An item must be an object, not ${toKind(value)}.`,
});

const unknownType = (value: unknown): ItemProblem => ({
  code: 'unknown-type',
  field: 'response_type',
  message:
    typeof value === 'string'
      ? `response_type is not one this chat knows: ${JSON.stringify(value.slice(0, 60))}.`
      : `response_type must be a string, not ${toKind(value)}.`,
});

/** Reads an app item that came from outside; what it does not name is left out, what is wrong is named. */
export const parseMcpAppItem = (value: unknown): ParsedItem<McpAppItem> => {
  if (!isRecord(value)) return refuse(notAnObject(value));
  const read = (field: string): unknown => (Object.hasOwn(value, field) ? value[field] : undefined);
  const type = read('response_type');
  if (type !== MessageResponseTypes.MCP_APP) return refuse(unknownType(type));
  const problems = [
    ...requiredNames.map((field) => findRequiredProblem(field, read(field))),
    ...optionalNames.map((field) => findOptionalProblem(field, read(field))),
  ].filter((problem) => problem !== undefined);
  if (problems.length === 0 && !['resource_uri', 'resource_html', 'tool_name'].some(read)) {
    const message = 'An app needs resource_uri or resource_html, or tool_name for the address of its tool.';
    problems.push({ code: 'missing', field: 'resource_uri', message });
  }
  if (problems.length > 0) return { ok: false, problems };
  const names = [...requiredNames, ...optionalNames].filter((field) => read(field) !== undefined);
  const fields = Object.fromEntries(names.map((field) => [field, read(field)]));
  // Every field was looked at above, which the type of fromEntries cannot tell.
  return { ok: true, item: { response_type: MessageResponseTypes.MCP_APP, ...fields } as McpAppItem };
};

/** Reads an item of any kind that came from outside. */
export const parseGenericItem = (value: unknown): ParsedItem<GenericItem> => {
  if (!isRecord(value)) return refuse(notAnObject(value));
  if (!Object.hasOwn(value, 'response_type') || value.response_type !== MessageResponseTypes.TEXT) {
    return parseMcpAppItem(value);
  }
  const text = Object.hasOwn(value, 'text') ? value.text : undefined;
  if (text === undefined) return refuse({ code: 'missing', field: 'text', message: 'text is required.' });
  if (typeof text !== 'string') return refuse(wrongType('text', text));
  return { ok: true, item: { response_type: MessageResponseTypes.TEXT, text } };
};
