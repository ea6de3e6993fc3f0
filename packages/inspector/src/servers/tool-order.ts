import type { AppFamily, Tool } from '@casement/protocol';
import { readToolUi } from '@casement/protocol/resource';

/** A tool with what the list shows of it. */
export interface ListedTool {
  readonly tool: Tool;
  readonly family: AppFamily | null;
  /** The tool names an app of that family, by an address that no host reads. */
  readonly isBroken: boolean;
  /** Only apps may call it; a model never sees it. */
  readonly appOnly: boolean;
}

/** The words for the families of apps. */
export const familyNames: Record<AppFamily, string> = {
  'mcp-apps': 'MCP App',
  openai: 'OpenAI',
  'mcp-ui': 'MCP-UI',
};

// Most tools say nothing about apps; of thousands, only those that do are read in full.
const saysNothing = ({ _meta, annotations, ...tool }: Tool): boolean =>
  _meta === undefined && annotations === undefined && !('meta' in tool);

const toListed = (tool: Tool): ListedTool => {
  if (saysNothing(tool)) return { tool, family: null, isBroken: false, appOnly: false };
  const { family, broken, visibility } = readToolUi(tool);
  return {
    tool,
    family: family ?? broken ?? null,
    isBroken: broken !== undefined,
    appOnly: visibility.app && !visibility.model,
  };
};

const rank = ({ family, appOnly }: ListedTool): number => (appOnly ? 2 : family === null ? 1 : 0);

const listed = new WeakMap<readonly Tool[], readonly ListedTool[]>();

/** The tools in the order of the list: with an app, without one, for apps only; each group as the server gave it. */
export const toListedTools = (tools: readonly Tool[]): readonly ListedTool[] => {
  const known = listed.get(tools);
  if (known) return known;
  const made = tools.map(toListed).sort((one, other) => rank(one) - rank(other));
  listed.set(tools, made);
  return made;
};

/** The tools whose name, title or description contains every word. */
export const filterTools = (tools: readonly ListedTool[], query: string): readonly ListedTool[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tools;
  return tools.filter(({ tool: { name, title, description } }) => {
    const text = `${name}\n${title ?? ''}\n${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
};
