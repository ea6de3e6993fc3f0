import type { Tool } from '@casement/protocol';
import type { ArgumentMemory } from './argument-memory.js';
import type { FormModel } from './form-model.js';
import { toFormModel } from './form-model.js';
import { fitsForm, toInitialArguments } from './form-values.js';
import { parseJsonArguments, toPrettyArguments } from '../parts/parse-json-arguments.js';
import type { AddressValues, DeepLink } from '../address/page-address.js';
import type { ListedServer, ServerList } from '../servers/server-list.js';
import type { StagedCall, StagedTool } from '../stage/stage-types.js';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';
import { toListedTools } from '../servers/tool-order.js';

/** What is selected and what would be called. */
export interface WorkbenchState {
  readonly servers: readonly ListedServer[];
  readonly serverName?: string;
  readonly toolName?: string;
  readonly server?: ListedServer;
  readonly tool?: Tool;
  readonly form: FormModel;
  /** The arguments as JSON text: what both faces of the editor show. */
  readonly text: string;
  readonly face: 'form' | 'json';
  /** Why the selection cannot be run, once that was tried; otherwise empty. */
  readonly problem: string;
}

/** The selection and the arguments, as one state. */
export interface Workbench extends Readable<WorkbenchState> {
  /** Takes over what a link says before any server is known; nothing is run. */
  fill(link: DeepLink): void;
  /** Follows the servers; resolves what the link named against them. */
  open(servers: ServerList, link: DeepLink): void;
  selectServer(name: string): void;
  selectTool(name: string): void;
  setText(text: string): void;
  setFace(face: WorkbenchState['face']): void;
  restart(name: string): Promise<void>;
  /** Moves a server by so many places. */
  moveServer(name: string, by: number): Promise<void>;
  /** Has the files of a server watched, or not any more; rejects when that cannot be. */
  watch(name: string, isOn: boolean): Promise<void>;
  /** The call the state describes, or undefined after saying why there is none. */
  read(): StagedCall | undefined;
  /** The tool that is chosen, if its server can be asked. */
  readTool(): StagedTool | undefined;
}

// Longer addresses are cut or refused by what people paste them into.
const maxAddressedArguments = 8_000;

/** What an address has to carry to bring a selection back. */
export const toCallAddress = ({
  serverName,
  toolName,
  text,
}: Pick<WorkbenchState, 'serverName' | 'toolName' | 'text'>): AddressValues => {
  const parsed = parseJsonArguments(text);
  const args = parsed.ok ? JSON.stringify(parsed.args) : text.trim();
  return {
    ...(serverName === undefined ? {} : { server: serverName }),
    ...(toolName === undefined ? {} : { tool: toolName }),
    // Also when empty: without it, this browser's last arguments would stand in.
    ...(toolName === undefined || args === '' || args.length > maxAddressedArguments ? {} : { args }),
  };
};

const noTool: FormModel = { jsonOnly: '' };

/** Creates the workbench; nothing is selected until servers are known. */
export const createWorkbench = (memory: ArgumentMemory): Workbench => {
  const store = createStore<WorkbenchState>({
    servers: [],
    form: noTool,
    text: '{}',
    face: 'form',
    problem: '',
  });
  let list: ServerList | undefined;
  // The user's last choice of face holds for every tool it fits.
  let wantedFace: WorkbenchState['face'] = 'form';
  // Arguments that a link or the user gave to the tool that is selected; they outlast its late arrival.
  let given: string | undefined;

  const change = (patch: Partial<WorkbenchState>): void => store.set({ ...store.getSnapshot(), ...patch });

  /** Looks the names up again; called whenever the servers changed. */
  const resolve = (): void => {
    const { serverName, toolName, tool: before, form } = store.getSnapshot();
    const server = list?.find(serverName);
    const tool = server?.tools.find(({ name }) => name === toolName);
    change({
      servers: list?.all() ?? [],
      server,
      tool,
      form: tool === before ? form : tool ? toFormModel(tool.inputSchema) : noTool,
    });
  };

  const chooseFace = (): void => {
    const { form, text } = store.getSnapshot();
    const parsed = parseJsonArguments(text);
    const fits = parsed.ok && fitsForm(form, parsed.args);
    change({ face: fits ? wantedFace : 'json' });
  };

  const selectTool = (toolName: string | undefined, args?: string): void => {
    given = args;
    change({ toolName, problem: '' });
    resolve();
    const { serverName = '', form } = store.getSnapshot();
    const kept = toolName === undefined ? undefined : memory.recall(serverName, toolName);
    change({ text: args ?? kept ?? JSON.stringify(toInitialArguments(form), null, 2) });
    chooseFace();
  };

  const selectServer = (serverName: string | undefined, link?: DeepLink): void => {
    change({ serverName });
    const first = toListedTools(list?.find(serverName)?.tools ?? [])[0];
    selectTool(
      link?.tool ?? first?.tool.name,
      link?.args === undefined ? undefined : toPrettyArguments(link.args),
    );
  };

  const checkTool = (link: DeepLink): void => {
    const { server, tool, toolName } = store.getSnapshot();
    if (link.tool !== undefined && link.tool === toolName && server?.listing === 'read' && !tool)
      change({ problem: `The address names a tool this server does not have: ${link.tool}` });
  };

  const onChange = (name: string, link: DeepLink): void => {
    const { serverName, toolName, tool, server: before } = store.getSnapshot();
    resolve();
    // The first server that comes is chosen, and another one when the chosen one is gone.
    if ((serverName === undefined && link.server === undefined) || (before && !list?.find(serverName)))
      return selectServer(list?.all()[0]?.summary.name);
    if (name !== serverName) return;
    // Tools that arrive late are selected late; a choice that still exists stays.
    if (toolName === undefined || (!store.getSnapshot().tool && link.tool === undefined))
      selectServer(serverName);
    else if (!tool && store.getSnapshot().tool) selectTool(toolName, given);
    checkTool(link);
  };

  const readTool = (): StagedTool | undefined => {
    const { server, tool } = store.getSnapshot();
    if (!server || !tool || server.summary.status !== 'ready') return undefined;
    const { port, resources } = server;
    return { port, resources, tool };
  };

  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    fill: ({ server, tool, args }) =>
      change({
        ...(server === undefined ? {} : { serverName: server }),
        ...(tool === undefined ? {} : { toolName: tool }),
        ...(args === undefined ? {} : { text: toPrettyArguments(args), face: 'json' }),
      }),
    open: (servers, link) => {
      list = servers;
      servers.subscribe((name) => onChange(name, link));
      const named = servers.find(link.server) ?? (link.server === undefined ? servers.all()[0] : undefined);
      selectServer(named?.summary.name, link);
      if (link.server !== undefined && !named)
        change({ problem: `The address names a server that is not there: ${link.server}` });
      else checkTool(link);
    },
    selectServer: (name) => {
      if (name !== store.getSnapshot().serverName) selectServer(name);
    },
    selectTool: (name) => {
      if (name !== store.getSnapshot().toolName) selectTool(name);
    },
    setText: (text) => {
      const { serverName, toolName } = store.getSnapshot();
      given = text;
      change({ text, problem: '' });
      if (serverName !== undefined && toolName !== undefined) memory.keep(serverName, toolName, text);
    },
    setFace: (face) => {
      wantedFace = face;
      change({ face, problem: '' });
    },
    restart: async (name) => {
      await list?.restart(name).catch(() => resolve());
    },
    moveServer: async (name, by) => {
      const names = (list?.all() ?? []).map(({ summary }) => summary.name);
      const from = names.indexOf(name);
      const to = from + by;
      if (from < 0 || to < 0 || to >= names.length) return;
      names.splice(from, 1);
      names.splice(to, 0, name);
      await list?.order(names).catch(() => resolve());
    },
    watch: async (name, isOn) => list?.watch(name, isOn),
    readTool,
    read: () => {
      const tool = readTool();
      if (!tool) return undefined;
      const { text, problem: before } = store.getSnapshot();
      const parsed = parseJsonArguments(text);
      const problem = parsed.ok ? '' : parsed.reason;
      // Half of the page is drawn anew with a change, at the moment that an app needs the processor.
      if (problem !== before) change({ problem });
      return parsed.ok ? { ...tool, args: parsed.args } : undefined;
    },
  };
};
