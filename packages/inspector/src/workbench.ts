import type { Tool } from '@casement/protocol';
import { element } from './page-elements.js';
import type { DeepLink } from './page-address.js';
import { toQuery } from './page-address.js';
import type { ListedServer, ServerList } from './server-list.js';
import { showServerProblem, showServers } from './server-view.js';
import type { StagedCall } from './stage.js';
import { parseArguments, toInitialArguments } from './tool-arguments.js';
import { pickTool, showToolDescription, showTools } from './tool-view.js';

/** The form on the left: which server, which tool, which arguments. */
export interface Workbench {
  /** Fills the form from a link before any server is known; nothing is run. */
  fill(link: DeepLink): void;
  /** Shows the servers; resolves what the link named against them. */
  open(servers: ServerList, link: DeepLink): void;
  /** The call the form describes, or undefined after saying why there is none. */
  read(): StagedCall | undefined;
}

/** Creates the form's behaviour; `onRun` is told when the user submits it. */
export const createWorkbench = (onRun: () => void): Workbench => {
  const serverSelect = element('server', HTMLSelectElement);
  const toolSelect = element('tool', HTMLSelectElement);
  const editor = element('arguments', HTMLTextAreaElement);
  const problem = element('arguments-problem', HTMLElement);
  const run = element('run', HTMLButtonElement);
  const remembered = new Map<string, string>();
  let servers: ServerList | undefined;
  let serverName: string | undefined;
  let toolName: string | undefined;

  const server = (): ListedServer | undefined => servers?.find(serverName);
  const tool = (): Tool | undefined => server()?.tools.find(({ name }) => name === toolName);
  const key = (): string => JSON.stringify([serverName, toolName]);

  const writeAddress = (): void => {
    const parsed = parseArguments(editor.value);
    const args = parsed.ok ? JSON.stringify(parsed.args) : editor.value.trim();
    const query = toQuery(location.search, {
      ...(serverName === undefined ? {} : { server: serverName }),
      ...(toolName === undefined ? {} : { tool: toolName }),
      ...(args === '' || args === '{}' ? {} : { args }),
    });
    history.replaceState(history.state, '', `${location.pathname}${query}`);
  };

  const show = (): void => {
    showServers(servers?.all() ?? [], serverName);
    showServerProblem(server());
    showTools(server()?.tools ?? [], toolName);
    showToolDescription(tool());
    run.disabled = tool() === undefined || server()?.summary.status !== 'ready';
  };

  const selectTool = (wanted: string | undefined, args?: string): void => {
    toolName = wanted;
    const selected = tool();
    if (args !== undefined) editor.value = args;
    else
      editor.value =
        remembered.get(key()) ?? JSON.stringify(selected ? toInitialArguments(selected) : {}, null, 2);
    problem.textContent = '';
    // The read runs while the user looks at the arguments, so that a later mount is warm.
    if (selected) server()?.resources.prefetch(selected);
    show();
  };

  const selectServer = (wanted: string | undefined, link?: DeepLink): void => {
    serverName = wanted;
    const tools = server()?.tools ?? [];
    selectTool(
      link?.tool ?? pickTool(tools)?.name,
      link?.args === undefined ? undefined : toPretty(link.args),
    );
  };

  serverSelect.addEventListener('change', () => {
    selectServer(serverSelect.value);
    writeAddress();
  });
  toolSelect.addEventListener('change', () => {
    selectTool(toolSelect.value);
    writeAddress();
  });
  editor.addEventListener('input', () => {
    remembered.set(key(), editor.value);
    problem.textContent = '';
  });
  editor.addEventListener('change', writeAddress);
  editor.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onRun();
  });
  element('call', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    onRun();
  });
  element('restart', HTMLButtonElement).addEventListener('click', () => {
    if (serverName !== undefined) void servers?.restart(serverName).catch(() => show());
  });

  return {
    fill: (link) => {
      if (link.server) serverSelect.replaceChildren(new Option(link.server, link.server, true, true));
      if (link.tool) toolSelect.replaceChildren(new Option(link.tool, link.tool, true, true));
      if (link.args) editor.value = toPretty(link.args);
    },
    open: (list, link) => {
      servers = list;
      list.subscribe((name) => {
        if (name !== serverName) return show();
        // Tools that arrive late are selected late; a choice that still exists stays.
        if (toolName === undefined || (!tool() && link.tool === undefined)) selectServer(serverName);
        else show();
      });
      const named = list.find(link.server) ?? (link.server === undefined ? list.all()[0] : undefined);
      selectServer(named?.summary.name, link);
      writeAddress();
      if (link.server !== undefined && !named)
        problem.textContent = `The address names a server that is not there: ${link.server}`;
      else if (link.tool !== undefined && named?.summary.status === 'ready' && !tool())
        problem.textContent = `The address names a tool this server does not have: ${link.tool}`;
    },
    read: () => {
      const [selectedServer, selectedTool] = [server(), tool()];
      if (!selectedServer || !selectedTool || run.disabled) return undefined;
      const parsed = parseArguments(editor.value);
      problem.textContent = parsed.ok ? '' : parsed.reason;
      if (!parsed.ok) return undefined;
      remembered.set(key(), editor.value);
      const { port, resources } = selectedServer;
      return { port, resources, tool: selectedTool, args: parsed.args };
    },
  };
};

const toPretty = (args: string): string => {
  const parsed = parseArguments(args);
  return parsed.ok ? JSON.stringify(parsed.args, null, 2) : args;
};
