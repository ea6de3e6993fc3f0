import type { AppPermission } from '@casement/protocol';
import { readToolUi } from '@casement/protocol/resource';
import type { NamedFamily, StagedCall, StagedTool } from './stage-types.js';

/** What holds for the app of a call. */
export interface ChosenForApp {
  /** In which of two families it is shown; undefined where there is nothing to choose. */
  readonly family: NamedFamily | undefined;
  readonly permissions: readonly AppPermission[];
}

/** What the user chose for the apps of the stage; kept for this page load alone. */
interface AppChoices {
  of(call: StagedTool): ChosenForApp;
  /** Holds for one tool of one server. */
  chooseFamily(call: StagedCall, family: NamedFamily): void;
  /** Holds for all apps of one resource. */
  setPermissions(call: StagedCall, permissions: readonly AppPermission[]): void;
}

const none: readonly AppPermission[] = [];

const namesBothFamilies = ({ tool }: StagedTool): boolean =>
  readToolUi(tool).family === 'mcp-apps' && readToolUi(tool, 'openai').family === 'openai';

/** Creates the choices: the family is MCP Apps and no permission is given (T8), until the user says otherwise. */
export const createAppChoices = (): AppChoices => {
  const families = new Map<string, NamedFamily>();
  const permissions = new Map<string, readonly AppPermission[]>();
  const toToolKey = ({ port, tool }: StagedTool): string => JSON.stringify([port.identity, tool.name]);
  const familyOf = (call: StagedTool): NamedFamily | undefined =>
    namesBothFamilies(call) ? (families.get(toToolKey(call)) ?? 'mcp-apps') : undefined;
  const toResourceKey = (call: StagedTool): string =>
    JSON.stringify([call.port.identity, readToolUi(call.tool, familyOf(call)).resourceUri]);
  return {
    of: (call) => ({
      family: familyOf(call),
      permissions: permissions.get(toResourceKey(call)) ?? none,
    }),
    chooseFamily: (call, family) => void families.set(toToolKey(call), family),
    setPermissions: (call, given) => void permissions.set(toResourceKey(call), given),
  };
};
