// `window.mcpApp`: the object older apps expect their host to have put there (S1-95 to S1-110). The loader of our own
// sandbox and the generated script both make it here.
import type { AppEvents } from '../session/types.js';
import type { Params } from '../session/wire-types.js';

/** The kinds of events of an app, its end included. */
export type HeardType = keyof AppEvents | 'teardown';

const eventNames: Readonly<Partial<Record<HeardType, string>>> = {
  toolinput: 'mcp:tool-input',
  toolinputpartial: 'mcp:tool-input-partial',
  toolresult: 'mcp:tool-result',
  toolcancelled: 'mcp:tool-cancelled',
  hostcontextchanged: 'mcp:context-change',
  teardown: 'mcp:teardown',
};

/** The way to the host, as far as mcpApp needs it; both wait for the handshake. */
interface McpAppPort {
  request(method: string, params: Params): Promise<Params>;
  notify(method: string, params: Params): void;
}

/** From the document up, so that listeners on it and on the window hear it alike. */
export const dispatch = (type: string, detail: unknown): boolean =>
  document.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));

/** Older apps read the room they have under its older name. */
const toOldContext = (context: Params): Params =>
  context['containerDimensions'] === undefined
    ? context
    : { viewport: context['containerDimensions'], ...context };

/** Creates `window.mcpApp` and two functions that bring it up to date: `learn` with a context, `hear` with an event. */
export const createMcpApp = ({ request, notify }: McpAppPort) => {
  const mcpApp = {
    toolInput: null as unknown,
    toolResult: null as unknown,
    hostContext: {} as Params,
    callTool: (name: string, args: Params = {}) => request('tools/call', { name, arguments: args }),
    readResource: (uri: string) => request('resources/read', { uri }),
    openLink: (url: string) => request('ui/open-link', { url }),
    sendMessage: (text: string) => request('ui/message', { role: 'user', content: [{ type: 'text', text }] }),
    resize: (width: number, height: number) => notify('ui/notifications/size-changed', { width, height }),
  };
  const learn = (context: Params): void => {
    mcpApp.hostContext = { ...mcpApp.hostContext, ...toOldContext(context) };
  };
  const hear = (type: HeardType, params: Params): void => {
    if (type === 'toolinput') mcpApp.toolInput = params['arguments'];
    if (type === 'toolresult') mcpApp.toolResult = params;
    if (type === 'hostcontextchanged') learn(params);
    const name = eventNames[type];
    if (name) dispatch(name, params);
  };
  return { mcpApp, learn, hear };
};
