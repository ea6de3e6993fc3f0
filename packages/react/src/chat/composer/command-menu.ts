const maxShown = 50;

/** The tools a draft may mean that begins with a slash; undefined for any other draft. */
export const findCommands = (
  draft: string,
  tools: readonly OfferedTool[],
): readonly OfferedTool[] | undefined => {
  const [, query] = /^\/([^\s{]*)$/.exec(draft) ?? [];
  if (query === undefined) return undefined;
  const wanted = query.toLowerCase();
  const rank = ({ name }: OfferedTool): number => name.toLowerCase().indexOf(wanted);
  return tools
    .filter((tool) => rank(tool) >= 0)
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, maxShown);
};

/** The draft that calls a tool, with the arguments it cannot do without left to be filled in. */
export const toCommand = ({ name, tool }: OfferedTool): string => {
  const { required = [], properties = {} } = tool.inputSchema;
  const values = required.map((key) => [
    key,
    toEmptyValue(Object.hasOwn(properties, key) ? properties[key] : {}),
  ]);
  return `/${name} ${JSON.stringify(Object.fromEntries(values))}`;
};

const toEmptyValue = (schema: unknown): unknown => {
  // Read field by field; what is not of the expected kind counts for nothing.
  const { type, enum: choices } = (schema ?? {}) as Readonly<Record<string, unknown>>;
  if (Array.isArray(choices) && choices.length > 0) return choices[0];
  if (type === 'number' || type === 'integer') return 0;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  return type === 'object' ? {} : '';
};
import type { OfferedTool } from '@casement/chat';
