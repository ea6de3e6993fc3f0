import { readOwn } from '../is-record.js';
import { readMetaBags, type AppFamily, type OnWrongType } from './metadata.js';
import { readAnnotations, readLink } from './tool-link.js';

/** Who may call a tool. */
export interface ToolVisibility {
  model: boolean;
  app: boolean;
}

/** Nothing is known about a tool whose metadata throws: it is hidden. */
export const hidden: ToolVisibility = { model: false, app: false };

/** Reads the visibility of a tool that links a UI of some family, or none; throws what a getter throws. */
export const readVisibility = (
  tool: unknown,
  family: AppFamily | null,
  onWrongType?: OnWrongType,
): ToolVisibility => {
  const bags = [...readMetaBags(tool), ...readAnnotations(tool)];
  for (const { path, values } of bags) {
    const listed = readOwn(readOwn(values, 'ui'), 'visibility');
    if (listed === undefined) continue;
    // Anything but an array that names the audience hides the tool (B09): a typing slip must not open it.
    if (!Array.isArray(listed)) onWrongType?.(`${path}.ui.visibility`, 'an array');
    const names: readonly unknown[] = Array.isArray(listed) ? listed : [];
    return { model: names.includes('model'), app: names.includes('app') };
  }
  const read = (key: string): unknown =>
    bags.map(({ values }) => readOwn(values, key)).find((value) => value !== undefined);
  const accessible = read('openai/widgetAccessible');
  const audience = read('openai/visibility');
  if (family !== 'mcp-apps' && (family === 'openai' || accessible !== undefined || audience !== undefined)) {
    // In that family an app may call only what says so, the opposite of the MCP Apps default.
    return { model: audience !== 'private', app: accessible === true };
  }
  return { model: true, app: true };
};

/** The visibility rule: absent means everyone, otherwise only who is listed (HOST-020 … HOST-022). */
export const isToolVisibleTo = (tool: unknown, audience: 'model' | 'app'): boolean => {
  try {
    return readVisibility(tool, readLink(tool, 'mcp-apps').family)[audience];
  } catch {
    return hidden[audience];
  }
};

/** Whether an app of a family may call a tool: in the OpenAI family silence means no, elsewhere it means yes. */
export const isToolCallableBy = (tool: unknown, caller: AppFamily): boolean => {
  if (!isToolVisibleTo(tool, 'app')) return false;
  if (caller !== 'openai') return true;
  return readMetaBags(tool).some(
    ({ values }) =>
      readOwn(readOwn(values, 'ui'), 'visibility') !== undefined ||
      readOwn(values, 'openai/widgetAccessible') === true,
  );
};
