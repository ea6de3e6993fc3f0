import {
  createAppTools,
  type AppToolConfig,
  type AppToolHandler,
  type RegisteredAppTool,
} from './app-tools.js';
import { watchSize } from './auto-resize.js';
import { AppError, toRefusal } from './errors.js';
import { HostRequests } from './host-requests.js';
import { applyHostStyles } from './host-styles.js';
import { createParentTransport, type ParentTransportOptions } from './parent-transport.js';
import { createSession, type Session } from './session.js';
import type {
  AppCapabilities,
  AppEvents,
  CallToolResult,
  DisplayMode,
  HostCapabilities,
  HostContext,
  Implementation,
  JsonObject,
} from './types.js';
import type { RequestContext } from './wire.js';
import type { Params, RequestOptions, Transport } from './wire-types.js';

/** How an app behaves. */
export interface AppOptions extends ParentTransportOptions {
  /** Reports the size of the content by itself; true unless said otherwise. */
  readonly autoResize?: boolean | undefined;
  /** Takes over theme, style variables and fonts of the host; true unless said otherwise. */
  readonly applyHostStyles?: boolean | undefined;
  /** Refuses at once what the host did not offer, instead of asking anyway. */
  readonly strict?: boolean | undefined;
  /** How long an answer may take; 30 seconds unless said otherwise. */
  readonly timeoutMs?: number | undefined;
}

/** Hears one kind of event. */
export type AppListener<T extends keyof AppEvents> = (params: AppEvents[T]) => void;

/** What the host must have offered for a request. */
const offers = new Map<string, keyof HostCapabilities>([
  ['tools/call', 'serverTools'],
  ['resources/read', 'serverResources'],
  ['resources/list', 'serverResources'],
  ['ui/open-link', 'openLinks'],
  ['ui/download-file', 'downloadFile'],
  ['sampling/createMessage', 'sampling'],
]);

/** An app's end of the conversation with its host: set handlers, connect, ask. */
export class App extends HostRequests {
  // Handlers are declared, and there once an author sets one: an app need not carry their names.

  /** The complete arguments of the call. */
  declare ontoolinput: AppListener<'toolinput'> | undefined;
  /** Arguments as far as the model has written them: for previews only (VIEW-013). */
  declare ontoolinputpartial: AppListener<'toolinputpartial'> | undefined;
  declare ontoolresult: AppListener<'toolresult'> | undefined;
  declare ontoolcancelled: AppListener<'toolcancelled'> | undefined;
  /** What changed; `getHostContext()` has all of it. */
  declare onhostcontextchanged: AppListener<'hostcontextchanged'> | undefined;
  /** The host is about to remove the app and waits for this, a moment. */
  declare onteardown: ((params: { reason?: string }, context: RequestContext) => unknown) | undefined;
  /** What went wrong where nobody waits for an answer: a bad message, a stranger, a handler that threw. */
  declare onerror: ((error: unknown) => void) | undefined;

  readonly #appInfo: Implementation;
  readonly #capabilities: AppCapabilities;
  readonly #options: AppOptions;
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #tools = createAppTools(() => this.#tellTools());
  #session: Session | undefined;
  #connecting: Promise<void> | undefined;
  #isClosed = false;
  #stopResize: (() => void) | undefined;

  constructor(appInfo: Implementation, capabilities: AppCapabilities = {}, options: AppOptions = {}) {
    super();
    this.#appInfo = appInfo;
    this.#capabilities = { ...capabilities };
    this.#options = options;
  }

  /** Shakes hands with the host, through the parent window unless another way is given; after a failure it may be tried again. */
  connect(transport?: Transport, options?: RequestOptions): Promise<void> {
    return (this.#connecting ??= this.#shakeHands(transport, options).catch((error: unknown) => {
      // What waited for the handshake fails for the same reason.
      this.#session?.close(error instanceof AppError ? error : undefined);
      this.#session = this.#connecting = undefined;
      throw error;
    }));
  }

  async #shakeHands(transport?: Transport, options?: RequestOptions): Promise<void> {
    if (this.#isClosed) throw new AppError('closed', 'The app was closed.');
    const session = createSession({
      transport: transport ?? createParentTransport(this.#options),
      timeoutMs: this.#options.timeoutMs ?? 30_000,
      emit: (type, params) => this.#emit(type, params),
      onRequest: (method, params, context) => this.#answer(method, params, context),
      onTrouble: (error) => this.onerror?.(error),
    });
    this.#session = session;
    if (this.#tools.size > 0) this.#capabilities.tools ??= { listChanged: true };
    await session.connect(this.#appInfo, this.#capabilities, options);
    this.#style(session.state.hostContext ?? {});
    if (this.#options.autoResize !== false && typeof ResizeObserver === 'function')
      this.setupSizeChangedNotifications();
    this.#emit('connected', {});
  }

  /** Ends the conversation; what is open fails, and nothing is heard any more. */
  close(): void {
    this.#isClosed = true;
    this.#connecting = undefined;
    this.#stopResize?.();
    this.#session?.close();
  }

  getHostContext(): HostContext | undefined {
    return this.#session?.state.hostContext;
  }

  getHostCapabilities(): HostCapabilities | undefined {
    return this.#session?.state.hostCapabilities;
  }

  getHostVersion(): Implementation | undefined {
    return this.#session?.state.hostInfo;
  }

  /** The arguments of the call, once they are known. */
  get toolInput(): JsonObject | undefined {
    return this.#session?.state.toolInput;
  }

  /** The result of the call, once it is there. */
  get toolResult(): CallToolResult | undefined {
    return this.#session?.state.toolResult;
  }

  /** Adds a listener; the returned function takes it away. */
  on<T extends keyof AppEvents>(type: T, listener: AppListener<T>): () => void {
    this.addEventListener(type, listener);
    return () => this.removeEventListener(type, listener);
  }

  addEventListener<T extends keyof AppEvents>(type: T, listener: AppListener<T>): void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  }

  removeEventListener<T extends keyof AppEvents>(type: T, listener: AppListener<T>): void {
    this.#listeners.get(type)?.delete(listener);
  }

  override async request(method: string, params: Params = {}, options?: RequestOptions): Promise<Params> {
    const session = this.#sessionFor(method);
    const offer = offers.get(method);
    const isMust = offer === 'sampling';
    if (offer && (isMust || this.#options.strict)) {
      await this.#connecting;
      const granted = session.state.hostCapabilities?.[offer];
      // VIEW-019, VIEW-020, VIEW-032.
      if (!granted || (isMust && params['tools'] && !('tools' in granted)))
        throw new AppError('unsupported', `${method}: the host does not offer ${offer}.`);
    }
    return session.request(method, params, options);
  }

  /** A failure is told to `onerror` as well. */
  override notify(method: string, params: Params = {}): Promise<void> {
    const sent = (async () => this.#sessionFor(method).notify(method, params))();
    sent.catch((error: unknown) => this.onerror?.(error));
    return sent;
  }

  /** Asks for another mode and returns the one in force; a mode the host does not have is not asked for (VIEW-005). */
  async requestDisplayMode(
    params: { mode: DisplayMode },
    options?: RequestOptions,
  ): Promise<{ mode: DisplayMode }> {
    const { mode } = params;
    this.#sessionFor('ui/request-display-mode');
    await this.#connecting;
    if (mode !== 'inline' && !this.#capabilities.availableDisplayModes?.includes(mode))
      throw new AppError('undeclared', `Name ${mode} in the app's availableDisplayModes first (VIEW-004).`);
    const { availableDisplayModes, displayMode = 'inline' } = this.getHostContext() ?? {};
    if (availableDisplayModes && !availableDisplayModes.includes(mode)) return { mode: displayMode };
    return this.ask('ui/request-display-mode', params, options);
  }

  /** Reports the content's size from now on; the returned function ends it. */
  setupSizeChangedNotifications(): () => void {
    this.#stopResize?.();
    return (this.#stopResize = watchSize((width, height) => void this.sendSizeChanged({ width, height })));
  }

  /** Offers a tool to the model. The first one must be there before `connect()`, or `tools` in the capabilities. */
  registerTool<Args = JsonObject>(
    name: string,
    config: AppToolConfig<Args>,
    handler: AppToolHandler<Args>,
  ): RegisteredAppTool {
    if (this.#session && !this.#capabilities.tools)
      throw new AppError(
        'undeclared',
        "Pass { tools: { listChanged: true } } in the app's capabilities first.",
      );
    return this.#tools.register(name, config, handler);
  }

  unregisterTool(name: string): boolean {
    return this.#tools.remove(name);
  }

  #tellTools(): void {
    if (this.#session && this.#capabilities.tools?.listChanged)
      void this.notify('notifications/tools/list_changed');
  }

  #sessionFor(method: string): Session {
    if (this.#session && !this.#isClosed) return this.#session;
    throw this.#isClosed
      ? new AppError('closed', `${method}: the app was closed.`)
      : new AppError('not-connected', `${method}: call connect() first.`);
  }

  #style(context: Partial<HostContext>): void {
    if (this.#options.applyHostStyles !== false && typeof document === 'object') applyHostStyles(context);
  }

  #emit(type: keyof AppEvents, params: Params): void {
    if (type === 'hostcontextchanged') this.#style(params);
    // One property per event, by the same name; what it takes is what session.ts has checked.
    const own = Reflect.get(this, `on${type}`) as ((params: Params) => void) | undefined;
    for (const listener of [own, ...(this.#listeners.get(type) ?? [])]) {
      try {
        listener?.(params as never);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** A mistake in the app's own code must be seen. */
  #report(error: unknown): void {
    if (this.onerror) this.onerror(error);
    else globalThis.reportError?.(error);
  }

  async #answer(method: string, params: Params, context: RequestContext): Promise<unknown> {
    if (method === 'ping') return {};
    if (method === 'tools/list') return this.#tools.list();
    if (method === 'tools/call') return this.#tools.call(params, context);
    if (method === 'ui/resource-teardown') {
      this.#stopResize?.();
      try {
        return (await this.onteardown?.(params, context)) ?? {};
      } catch (error) {
        // The host waits for the answer, not for the reason (VIEW-016).
        this.#report(error);
        return {};
      }
    }
    throw toRefusal(-32601, `Method not found: ${method}`);
  }
}
