import {
  createAppTools,
  type AppToolConfig,
  type AppToolHandler,
  type RegisteredAppTool,
} from './app-tools.js';
import { watchSize } from './watch-size.js';
import { AppError, toRefusal } from './session/errors.js';
import { HostRequests } from './host-requests.js';
import { applyHostStyles } from './host-styles.js';
import { createParentTransport, type ParentTransportOptions } from './transports/parent-transport.js';
import { createSession, eventTypes, type Session } from './session/session.js';
import type {
  AppCapabilities,
  AppEvents,
  CallToolResult,
  DisplayMode,
  HostCapabilities,
  HostContext,
  Implementation,
  JsonObject,
} from './session/types.js';
import type { RequestContext } from './session/session.js';
import type { Params, RequestOptions, Transport } from './session/wire-types.js';

/** The options of an app. */
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

type Listener = AppListener<keyof AppEvents>;

/** The capability of the host that a request needs. */
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
  // Handlers are declared here and made by the constructor, from the names of the events.

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
  /** What went wrong where nobody waits for an answer: a bad message, a stranger, a handler that threw. The last is reported to the page as well. */
  declare onerror: ((error: unknown) => void) | undefined;

  readonly #appInfo: Implementation;
  readonly #capabilities: AppCapabilities;
  readonly #options: AppOptions;
  /** The listeners, each with the event that it has yet to hear. */
  readonly #listeners = new Map<string, Map<unknown, object | undefined>>();
  /** The last event of each kind, for listeners that come late. */
  readonly #last = new Map<string, object>();
  readonly #tools = createAppTools(() => this.#tellTools());
  #session: Session | undefined;
  #connecting: Promise<void> | undefined;
  #isClosed?: boolean;
  #stopResize: (() => void) | undefined;

  constructor(appInfo: Implementation, capabilities: AppCapabilities = {}, options: AppOptions = {}) {
    super();
    this.#appInfo = appInfo;
    this.#capabilities = { ...capabilities };
    this.#options = options;
    for (const type of eventTypes.values()) {
      let own: Listener | undefined;
      Object.defineProperty(this, `on${type}`, {
        // A class that extends this one may bring its own.
        configurable: true,
        get: () => own,
        set: (handler?: Listener) => {
          // The same again is no newcomer: a page that sets it with each drawing would draw for ever.
          if (own !== handler) this.#listeners.get(type)?.delete(own);
          if ((own = handler)) this.addEventListener(type, own);
        },
      });
    }
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
    if (this.#isClosed) this.#sessionFor('connect');
    const session = (this.#session = createSession({
      transport: transport ?? createParentTransport(this.#options),
      timeoutMs: this.#options.timeoutMs ?? 30_000,
      emit: (type, params) => this.#emit(type, params),
      onRequest: (method, params, context) => this.#answer(method, params, context),
      onTrouble: (error) => this.#report(error),
    }));
    if (this.#tools.size > 0) this.#capabilities.tools ??= { listChanged: true };
    await session.connect(this.#appInfo, this.#capabilities, options);
    this.#style(session.state.hostContext ?? {});
    if (this.#options.autoResize !== false && globalThis.ResizeObserver) this.setupSizeChangedNotifications();
    this.#emit('connected', {});
  }

  /** Ends the conversation; what is open fails, and nothing is heard any more. */
  close(): void {
    this.#isClosed = true;
    this.#connecting = undefined;
    this.#stopResize?.();
    this.#session?.close();
    this.#last.clear();
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

  /** Adds a listener; the returned function takes it away. One that comes late is told the last event of its kind, a moment later. */
  on<T extends keyof AppEvents>(type: T, listener: AppListener<T>): () => void {
    this.addEventListener(type, listener);
    return () => this.removeEventListener(type, listener);
  }

  addEventListener<T extends keyof AppEvents>(type: T, listener: AppListener<T>): void {
    const listeners = this.#listeners.get(type) ?? new Map<unknown, object | undefined>();
    if (!listeners.has(listener)) listeners.set(listener, this.#last.get(type));
    this.#listeners.set(type, listeners);
    // Once, and later; not to one that has heard a newer event meanwhile, or is gone.
    queueMicrotask(() => {
      const last = listeners.get(listener);
      if (last && last === this.#last.get(type)) {
        // Nothing is owed any more.
        listeners.set(listener, this);
        this.#call(type, listener, last);
      }
    });
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
      throw new AppError('undeclared', `Name ${mode} in availableDisplayModes first.`);
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
      throw new AppError('undeclared', 'Name tools: { listChanged: true } in the capabilities first.');
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
    if (this.#isClosed) throw new AppError('closed', `${method}: the app was closed.`);
    if (!this.#session) throw new AppError('not-connected', `${method}: call connect() first.`);
    return this.#session;
  }

  #style(context: Partial<HostContext>): void {
    if (this.#options.applyHostStyles !== false && globalThis.document) applyHostStyles(context);
  }

  #emit(type: keyof AppEvents, params: Params): void {
    // Who comes late to changes is told all of them.
    const all = type === 'hostcontextchanged' && this.getHostContext();
    if (all) this.#style(params);
    this.#last.set(type, all || params);
    // Complete arguments end their preview.
    this.#last.delete(`${type}partial`);
    // One property per event, by the same name.
    const listeners = new Set<unknown>(this.#listeners.get(type)?.keys());
    for (const listener of listeners.add(Reflect.get(this, `on${type}`))) this.#call(type, listener, params);
  }

  #call(type: string, listener: unknown, params: object): void {
    try {
      // What it takes is what session.ts has checked.
      (listener as Listener | undefined)?.(params as never);
    } catch (error) {
      this.#report(error, `on${type}`);
    }
  }

  /** A mistake in the app's own code must be seen, in the page's console and by the host, whoever else is told. */
  #report(error: unknown, handler?: string): void {
    if (error instanceof Error && handler) Reflect.set(error, 'message', `${handler}: ${error.message}`);
    this.onerror?.(error);
    if (handler || !(error instanceof AppError)) globalThis.reportError?.(error);
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
        this.#report(error, 'onteardown');
        return {};
      }
    }
    throw toRefusal(-32601, `Method not found: ${method}`);
  }
}
