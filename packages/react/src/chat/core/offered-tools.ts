import type { Tool } from '@casement/protocol';
import type { ServerPort } from '@casement/host';
import { isToolVisibleTo } from '@casement/protocol/basics';
import type { RegisteredApp } from './conversation-apps.js';
import type { ToolSource } from './parts.js';

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

// What models take for a name.
const maxName = 64;
const maxOwnName = 48;

/**
 * The tools a model may see (HOST-021), each under a name of its own: the tool's, or `server__tool` for every one of
 * those that several servers have. App tools have names of their own already, and are there while their app is ready.
 */
export const toToolOffer = (
  servers: readonly { readonly port: ServerPort; readonly tools: readonly Tool[] }[],
  apps: readonly RegisteredApp[],
): ToolOffer => {
  const wanted = [...servers.flatMap(toServerTools), ...apps.flatMap(toAppTools)];
  const byName = new Map<string, BoundTool[]>();
  for (const bound of wanted) byName.set(bound.name, [...(byName.get(bound.name) ?? []), bound]);
  const taken = new Set([...byName].flatMap(([name, group]) => (group.length === 1 ? [name] : [])));
  const tools = wanted.map((bound): BoundTool => {
    if (byName.get(bound.name)?.length === 1) return bound;
    const name = toFreeName(toLongName(bound), taken);
    taken.add(name);
    return { ...bound, name };
  });
  const clashes = [...byName].flatMap(([tool, group]) =>
    group.length === 1
      ? []
      : {
          tool,
          offered: group.map((bound) => ({
            source: bound.source,
            name: tools[wanted.indexOf(bound)]?.name ?? bound.name,
          })),
        },
  );
  return { tools, clashes };
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
}): BoundTool[] =>
  tools
    // A name given twice by one server means the first: a call could not choose.
    .filter((tool, index) => tools.findIndex(({ name }) => name === tool.name) === index)
    .filter((tool) => isToolVisibleTo(tool, 'model'))
    .map((tool) => ({
      name: toModelName(tool.name),
      tool,
      source: { kind: 'server', server: port.name, tool: tool.name },
      owner: { kind: 'server', port },
    }));

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

/** A name as the providers of models take it. */
export const toModelName = (text: string): string =>
  text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxName) || 'tool';

const toLongName = ({ name, source }: BoundTool): string => {
  if (source.kind === 'app') return name;
  const own = name.slice(0, maxOwnName);
  return `${toModelName(source.server).slice(0, maxName - 2 - own.length)}__${own}`;
};

const toFreeName = (stem: string, taken: ReadonlySet<string>): string => {
  let name = stem;
  for (let count = 2; taken.has(name); count += 1) {
    const ending = `_${count}`;
    name = stem.slice(0, maxName - ending.length) + ending;
  }
  return name;
};
