import { readToolUi } from '@casement/protocol/resource';
import type { OfferedTool } from '@casement/chat';

/** What to write so that the scripted model calls a tool; a real one understands it as well. */
export const toToolCommand = (name: string, args: Readonly<Record<string, unknown>>): string =>
  Object.keys(args).length === 0 ? `/${name}` : `/${name} ${JSON.stringify(args)}`;

/** The tool of a server as the model knows it; undefined when it is not on offer. */
export const findOffered = (
  offered: readonly OfferedTool[],
  server: string | undefined,
  tool: string,
): OfferedTool | undefined =>
  offered.find(({ source }) => source.kind === 'server' && source.server === server && source.tool === tool);

const maxPrompts = 3;

/** Messages to begin with: tools that show an app and need no arguments. */
export const toFirstPrompts = (offered: readonly OfferedTool[]): readonly string[] =>
  offered
    .filter(({ tool }) => {
      const { required } = tool.inputSchema;
      const needsNothing = !Array.isArray(required) || required.length === 0;
      return needsNothing && readToolUi(tool).resourceUri !== undefined;
    })
    .slice(0, maxPrompts)
    .map(({ name }) => toToolCommand(name, {}));
