import type { MountAppOptions, MountedApp } from '@casement/host';
import { mountApp } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import { openGatewayPort } from '@casement/protocol/ports';

/** One app of a published server. */
interface Shown {
  readonly server: string;
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly options?: Partial<MountAppOptions>;
}

declare global {
  var realApps: { readonly app: MountedApp; readonly calls: string[] }[];
  /** Calls each tool once and shows its app, far from the last one. */
  var showReal: (shown: readonly Shown[], place: { token: string; base: string }) => Promise<void>;
}

globalThis.realApps = [];

/** Counts what the server is asked to do, by whomever. */
const toCounted = (port: ServerPort, calls: string[]): ServerPort => ({
  ...port,
  callTool(params, options) {
    calls.push(`${options.caller} ${params.name}`);
    return port.callTool(params, options);
  },
});

globalThis.showReal = async (shown, { token, base }) => {
  for (const [index, { server, tool: name, args, options }] of shown.entries()) {
    const calls: string[] = [];
    const port = toCounted(await openGatewayPort({ url: '', token, server }), calls);
    const tool = (await port.listTools()).find((listed) => listed.name === name);
    if (!tool) throw new Error(`${server} has no tool ${name}.`);
    const line = document.body.appendChild(document.createElement('p'));
    line.id = `line-${index}`;
    line.style.marginTop = '2500px';
    const container = document.body.appendChild(document.createElement('section'));
    container.id = `app-${index}`;
    const app = mountApp(container, { server: port, tool, toolInput: args, sandbox: { base }, ...options });
    globalThis.realApps.push({ app, calls });
    app.sendToolResult(await port.callTool({ name, arguments: args }, { caller: 'user' }));
  }
  document.body.style.paddingBottom = '2500px';
};
