import type { App } from '../app.js';
import type { AppToolHandler } from '../app-tools.js';
import { dispatch } from './mcp-app.js';
import type {
  Acknowledged,
  AppEvents,
  CallToolResult,
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  DisplayMode,
  EmbeddedResource,
  HostCapabilities,
  HostContext,
  JsonObject,
  JsonObjectSchema,
  LogLevel,
  ResourceContents,
  ResourceLink,
} from '../session/types.js';

/** The result of a call that no listener answered. */
const NO_ANSWER: CallToolResult = {
  content: [{ type: 'text', text: 'The app did not answer.' }],
  isError: true,
};

/** Asks the page by the DOM event `tool:call`, whose detail has `respondWith`. */
const askPage = (name: string, args: JsonObject): CallToolResult | Promise<CallToolResult> => {
  let answer: CallToolResult | Promise<CallToolResult> = NO_ANSWER;
  const respondWith = (given: CallToolResult | Promise<CallToolResult>): void => void (answer = given);
  dispatch('tool:call', { name, arguments: args, respondWith });
  return answer;
};

const toBlocks = (content: string | ContentBlock[]): ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** The short names scripts use, over an `App`: what stands at `window.FrontMcpBridge`, and what an adapter has. */
export class Bridge {
  readonly app: App;
  readonly #whenReady: () => Promise<unknown>;

  /** `whenReady` holds calls back; it rejects when no host was found. */
  constructor(app: App, whenReady: () => Promise<unknown>) {
    this.app = app;
    this.#whenReady = whenReady;
  }

  get toolInput(): JsonObject | undefined {
    return this.app.toolInput;
  }

  get toolResult(): CallToolResult | undefined {
    return this.app.toolResult;
  }

  get hostContext(): HostContext | undefined {
    return this.app.getHostContext();
  }

  get hostCapabilities(): HostCapabilities | undefined {
    return this.app.getHostCapabilities();
  }

  async callTool(name: string, args: JsonObject = {}): Promise<CallToolResult> {
    await this.#whenReady();
    return this.app.callServerTool({ name, arguments: args });
  }

  async readResource(uri: string): Promise<{ contents: ResourceContents[] }> {
    await this.#whenReady();
    return this.app.readResource(uri);
  }

  async sendMessage(content: string | ContentBlock[]): Promise<Acknowledged> {
    await this.#whenReady();
    return this.app.sendMessage({ content: toBlocks(content) });
  }

  async openLink(url: string): Promise<Acknowledged> {
    await this.#whenReady();
    return this.app.openLink({ url });
  }

  /** Replaces what the model was told before, with an object or with text. */
  async updateModelContext(context: JsonObject | string): Promise<object> {
    await this.#whenReady();
    return this.app.updateModelContext(
      typeof context === 'string' ? { content: toBlocks(context) } : { structuredContent: context },
    );
  }

  async requestDisplayMode(mode: DisplayMode): Promise<{ mode: DisplayMode }> {
    await this.#whenReady();
    return this.app.requestDisplayMode({ mode });
  }

  async downloadFile(contents: (EmbeddedResource | ResourceLink)[]): Promise<Acknowledged> {
    await this.#whenReady();
    return this.app.downloadFile({ contents });
  }

  async createSamplingMessage(params: CreateMessageParams): Promise<CreateMessageResult> {
    await this.#whenReady();
    return this.app.createSamplingMessage(params);
  }

  async log(level: LogLevel | 'warn', data: unknown): Promise<void> {
    await this.#whenReady();
    return this.app.log(level === 'warn' ? 'warning' : level, data);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#whenReady();
    return this.app.sendSizeChanged({ width, height });
  }

  /** Asks the host to close the app. */
  async close(): Promise<void> {
    await this.#whenReady();
    return this.app.requestTeardown();
  }

  /** Offers a tool to the model; without a handler, calls come as the DOM event `tool:call`. */
  async registerTool(
    name: string,
    description: string,
    inputSchema: JsonObjectSchema,
    handler: AppToolHandler<JsonObject> = (args) => askPage(name, args),
  ): Promise<void> {
    this.app.registerTool(name, { description, inputSchema }, handler);
  }

  async unregisterTool(name: string): Promise<void> {
    this.app.unregisterTool(name);
  }

  /** Hears an event of the app; the returned function ends it. */
  on<T extends keyof AppEvents>(type: T, listener: (params: AppEvents[T]) => void): () => void {
    return this.app.on(type, listener);
  }
}
