import { readToolUi, type AppFamily } from '@casement/protocol';
import type { StagedCall } from './stage-types.js';

/** A family whose UI a tool can name; that of MCP-UI is in the result. */
export type NamedFamily = Exclude<AppFamily, 'mcp-ui'>;

/** In which of two families the app of a tool is shown; kept for this page load alone. */
export interface Families {
  /** The one in force; undefined where there is nothing to choose. */
  of(call: StagedCall): NamedFamily | undefined;
  choose(call: StagedCall, family: NamedFamily): void;
}

/** Creates the choices: MCP Apps, until the user says otherwise. */
export const createFamilies = (): Families => {
  const chosen = new Map<string, NamedFamily>();
  const toKey = ({ port, tool }: StagedCall): string => JSON.stringify([port.identity, tool.name]);
  const namesBoth = ({ tool }: StagedCall): boolean =>
    readToolUi(tool).family === 'mcp-apps' && readToolUi(tool, 'openai').family === 'openai';
  return {
    of: (call) => (namesBoth(call) ? (chosen.get(toKey(call)) ?? 'mcp-apps') : undefined),
    choose: (call, family) => void chosen.set(toKey(call), family),
  };
};
