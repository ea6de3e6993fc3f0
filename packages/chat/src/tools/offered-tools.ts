import type { Tool } from '@casement/protocol';
import type { ServerPort } from '@casement/protocol/ports';
import { isToolVisibleTo } from '@casement/protocol/tools';
import type { RegisteredApp } from '../apps/conversation-apps.js';
import type { NamedTool } from './offered-names.js';
import { toFold, toModelName, toOfferedNames } from './offered-names.js';
import type { ToolSource } from '../message/message.js';

/** A tool on offer to the model. */
export interface OfferedTool {
  /** Its name for the model. */
  readonly name: string;
  readonly tool: Tool;
  readonly source: ToolSource;
}

/** A name more than one tool has, and what the model knows each of them by. */
export interface ToolClash {
  readonly tool: string;
  readonly offered: readonly { readonly source: ToolSource; readonly name: string }[];
}

/** Who runs a tool. */
export type ToolOwner =
  | { readonly kind: 'server'; readonly port: ServerPort }
  | ({ readonly kind: 'app'; readonly qualifiedName: string } & RegisteredApp);

/** A tool and who runs it. */
export interface BoundTool extends OfferedTool {
  readonly owner: ToolOwner;
}

/** What the model may use now. */
export interface ToolOffer {
  readonly tools: readonly BoundTool[];
  readonly clashes: readonly ToolClash[];
}

/** The tools a model may see (HOST-021), each under a name of its own; those of apps are there while their app is ready. */
export const toToolOffer = (
  servers: readonly { readonly port: ServerPort; readonly tools: readonly Tool[] }[],
  apps: readonly RegisteredApp[],
): ToolOffer => {
  const wanted = [...servers.flatMap(toServerTools), ...apps.flatMap(toAppTools)];
  const names = toOfferedNames(wanted.map(toNamed));
  const tools = wanted.map((bound, index): BoundTool => ({ ...bound, name: names[index] ?? bound.name }));
  const byFold = new Map<
    string,
    { readonly wanted: string; readonly name: string; readonly source: ToolSource }[]
  >();
  wanted.forEach(({ name: own, source }, index) => {
    const one = { wanted: own, name: names[index] ?? own, source };
    const group = byFold.get(toFold(own));
    if (group) group.push(one);
    else byFold.set(toFold(own), [one]);
  });
  const clashes = [...byFold.values()].flatMap((group) =>
    group.length > 1 && group.some(({ wanted: own, name }) => own !== name)
      ? { tool: group[0]?.wanted ?? '', offered: group.map(({ source, name }) => ({ source, name })) }
      : [],
  );
  return { tools, clashes };
};

/** Whether a tool on offer is this one, however it describes itself now. */
export const isSameTool = (
  { owner, tool }: BoundTool,
  whose: ToolOwner,
  { name }: Pick<Tool, 'name'>,
): boolean =>
  tool.name === name &&
  (owner.kind === 'server'
    ? whose.kind === 'server' && owner.port === whose.port
    : whose.kind === 'app' && owner.app === whose.app);

const toNamed = ({ owner, tool, source }: BoundTool): NamedTool =>
  owner.kind === 'server'
    ? { owner: owner.port, identity: owner.port.identity, server: source.server, tool: tool.name }
    : {
        owner: owner.app,
        identity: owner.app.getSnapshot().session,
        server: undefined,
        tool: owner.qualifiedName,
      };

/** The server that has the tool the model knows by this name. */
export const getToolServerId = (toolName: string, tools: readonly OfferedTool[]): string | undefined =>
  tools.find(({ name }) => name === toolName)?.source.server;

const toServerTools = ({
  port,
  tools,
}: {
  readonly port: ServerPort;
  readonly tools: readonly Tool[];
}): BoundTool[] => {
  const first = new Map<string, Tool>();
  // A name given twice by one server means the first: a call could not choose.
  for (const tool of tools) if (!first.has(tool.name)) first.set(tool.name, tool);
  return [...first.values()]
    .filter((tool) => isToolVisibleTo(tool, 'model'))
    .map((tool) => ({
      name: toModelName(tool.name),
      tool,
      source: { kind: 'server', server: port.name, tool: tool.name },
      owner: { kind: 'server', port },
    }));
};

const toAppTools = (registered: RegisteredApp): BoundTool[] => {
  const { app } = registered;
  const { status, session, appTools, appInfo } = app.getSnapshot();
  if (status !== 'ready') return [];
  return appTools
    .filter(({ callable, tool }) => callable && isToolVisibleTo(tool, 'model'))
    .map(({ qualifiedName, tool }) => ({
      name: toModelName(qualifiedName),
      tool,
      source: {
        kind: 'app',
        server: app.server.name,
        session,
        tool: tool.name,
        ...(appInfo ? { app: { name: appInfo.name, version: appInfo.version } } : {}),
      },
      owner: { kind: 'app', qualifiedName, ...registered },
    }));
};
