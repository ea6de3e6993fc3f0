import type { CallToolResult, DisplayMode, HostContext, ResultOf } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import type { SessionFailure } from '../core/state/session-state.js';
import type { AppSnapshot } from '../core/state/app-snapshot.js';
import { adoptStyle } from '../dom/adopt-style.js';
import type { PlacedApp } from '../dom/mount-app.js';
import { mountIn } from '../dom/mount-app.js';
import type { MountAppOptions } from '../dom/mount-app-options.js';
import type { MountedApp } from '../core/session-options.js';
import { createHeardRecording, createSnapshotEvents } from './app-events.js';
import type { McpAppEventMap } from './element-events.js';
import { tell } from './element-events.js';
import { toPolicyOptions } from './element-policy.js';
import type { ElementPort } from './element-port.js';
import { createElementPort, createIdentity } from './element-port.js';
import type { McpAppSettings } from './element-settings.js';
import { settingNames } from './element-settings.js';
import { createInlineError } from './inline-error.js';
import {
  readDisplayModes,
  readEvidence,
  readLabel,
  readResourceUri,
  readSandbox,
  toDisplayMode,
} from './read-settings.js';

// On a server there is no HTMLElement; the class can be imported there, and is never constructed.
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/**
 * `<mcp-app>`: mountApp as an element. It holds what the page gave and the mounted app, nothing of the protocol.
 *
 * It mounts once it is connected and has a sandbox, an app (tool, address or HTML) and a way to read it; that moment
 * is awaited, so the order in which a framework sets things does not matter. Nothing set afterwards moves or reloads
 * the frame: what can change is told to the running app, the rest belongs to another element. Taken out of the
 * document it loses its frame as any element with a frame does: the session ends, recorded as removed by others, and
 * a new one starts when it is put back. `await teardown()` first gives the app its chance to save.
 */
export class McpAppElement extends Base implements McpAppSettings {
  static readonly observedAttributes = [
    'aria-label',
    'display-mode',
    'display-modes',
    'evidence',
    'resource-uri',
    'sandbox-base',
    'static-proxy',
    'title',
  ];

  declare server: McpAppSettings['server'];
  declare on_resources_read: McpAppSettings['on_resources_read'];
  declare on_tools_call: McpAppSettings['on_tools_call'];
  declare tools: McpAppSettings['tools'];
  declare tool: McpAppSettings['tool'];
  declare resourceUri: McpAppSettings['resourceUri'];
  declare resourceHtml: McpAppSettings['resourceHtml'];
  declare resourceMeta: McpAppSettings['resourceMeta'];
  declare toolCallId: McpAppSettings['toolCallId'];
  declare toolInput: McpAppSettings['toolInput'];
  declare toolResult: McpAppSettings['toolResult'];
  declare hostContext: McpAppSettings['hostContext'];
  declare hostInfo: McpAppSettings['hostInfo'];
  declare displayModes: McpAppSettings['displayModes'];
  declare sandbox: McpAppSettings['sandbox'];
  declare limits: McpAppSettings['limits'];
  declare policy: McpAppSettings['policy'];
  declare view: McpAppSettings['view'];
  declare recording: McpAppSettings['recording'];
  declare evidence: McpAppSettings['evidence'];
  declare fallbackText: McpAppSettings['fallbackText'];

  static {
    for (const name of settingNames) {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: McpAppElement) {
          return this.#given[name];
        },
        set(this: McpAppElement, value: never) {
          if (this.#given[name] === value) return;
          this.#given[name] = value;
          this.#settingChanged(name);
        },
      });
    }
  }

  readonly #given: Partial<McpAppSettings> = {};
  readonly #heard = new Set<string>();
  // The core reads the object when it answers ui/initialize, so what a listener writes here is in the answer.
  readonly #hostInfo = { name: 'casement', version: '0.1.0' };
  #context: HostContext = {};
  #partial: Record<string, unknown> | undefined;
  #text: string | undefined;
  #cancelled: { reason?: string } | undefined;
  /** The mode the page asked for by attribute; none once another one came into force. */
  #wish: DisplayMode | undefined;
  /** The mode that was asked for and may still be granted. */
  #asked: DisplayMode | undefined;
  #isFollowing = false;
  #isMountPlanned = false;
  #mounted: Mounted | undefined;
  #identity: string | undefined;

  /** What can be known about the app now; undefined before it is mounted. */
  getSnapshot(): AppSnapshot | undefined {
    return this.#mounted?.app.getSnapshot();
  }

  /** The mode in force; setting it asks the running app's session, which may keep to another. */
  get displayMode(): DisplayMode {
    return this.getSnapshot()?.displayMode ?? toDisplayMode(this.getAttribute('display-mode')) ?? 'inline';
  }
  set displayMode(mode: DisplayMode) {
    this.setAttribute('display-mode', mode);
  }

  /** Adds to the answer to ui/initialize, from a listener of mcp-app-initialize or before; hostContext and hostInfo. */
  sendInitializeResult(result: Partial<Pick<ResultOf<'ui/initialize'>, 'hostContext' | 'hostInfo'>>): void {
    Object.assign(this.#hostInfo, result.hostInfo);
    if (result.hostContext) this.sendHostContextChanged(result.hostContext);
  }

  /** Changes fields of the host context; the app is sent those that really differ, once it may be. */
  sendHostContextChanged(patch: HostContext): void {
    this.#context = { ...this.#context, ...patch };
    this.#mounted?.app.sendHostContextChanged(patch);
  }

  /** The complete arguments; the same as setting toolInput. */
  sendToolInput(args: Record<string, unknown>): void {
    this.toolInput = args;
  }

  /** Arguments as far as the model has written them. */
  sendToolInputPartial(args: Record<string, unknown>): void {
    this.#partial = args;
    this.#mounted?.app.sendToolInputPartial(args);
  }

  /** The JSON text of the arguments as far as the model has written it; may be called for every piece. */
  sendToolInputText(textSoFar: string): void {
    this.#text = textSoFar;
    this.#mounted?.app.sendToolInputText(textSoFar);
  }

  /** The outcome; the same as setting toolResult. */
  sendToolResult(result: CallToolResult): void {
    this.toolResult = result;
  }

  /** There will be no result. */
  sendToolCancelled(reason?: string): void {
    this.#cancelled = reason === undefined ? {} : { reason };
    this.#mounted?.app.sendToolCancelled(reason);
  }

  /** Calls a tool the app offers; `getSnapshot().appTools` and mcp-app-tools-changed name them. */
  callAppTool(...call: Parameters<MountedApp['callAppTool']>): Promise<CallToolResult> {
    const gone = () => Promise.reject(new CasementError('session-closed', 'The app is not there.'));
    return this.#mounted?.app.callAppTool(...call) ?? gone();
  }

  /** Ends the app at once, without asking it. */
  stop(): void {
    this.#mounted?.app.stop();
  }

  /** Throws the frame away and starts over with a fresh read. */
  reload(): void {
    this.#mounted?.app.reload();
  }

  /** Asks the app to stop, waits at most the teardown limit, and takes its frame away. */
  async teardown(reason?: string): Promise<void> {
    await this.#mounted?.app.close(reason);
  }

  override addEventListener<N extends keyof McpAppEventMap>(
    type: N,
    listener: (this: McpAppElement, event: McpAppEventMap[N]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: unknown,
    options?: boolean | AddEventListenerOptions,
  ): void {
    // What nobody listens for is not offered to the app (HOST-045).
    this.#heard.add(type);
    // One of the two declared shapes; the DOM takes both.
    super.addEventListener(type, listener as EventListener, options);
    this.#planMount();
  }

  connectedCallback(): void {
    adoptDisplay(this.getRootNode());
    // Properties set before the element was defined lie on the instance and hide the accessors.
    for (const name of settingNames) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      Reflect.deleteProperty(this, name);
      // Name and value belong together: both are those of the property just removed.
      Object.assign(this, { [name]: value });
    }
    if (!this.hasAttribute('role')) this.setAttribute('role', 'group');
    this.#planMount();
  }

  /** The browser's moveBefore() keeps frames alive, so there is nothing to do; without this it would disconnect. */
  connectedMoveCallback(): void {
    adoptDisplay(this.getRootNode());
  }

  disconnectedCallback(): void {
    const { container, stop } = this.#mounted ?? {};
    stop?.();
    // Put back in the same breath, the element must not carry the dead frame with it; the core sees the removal.
    container?.remove();
    this.#mounted = undefined;
    // What an app or its user chose is not what the page wishes for the next one.
    if (container && !this.#wish) this.#setMode(undefined);
    if (container) this.#showStatus('closed');
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    if (name === 'display-mode') {
      if (this.#isFollowing) return;
      const mode = toDisplayMode(value);
      this.#wish = mode;
      const { app } = this.#mounted ?? {};
      if (mode && app && mode !== app.getSnapshot().displayMode) void this.#askFor(mode, app);
      else this.#followMode();
    } else if (name === 'title' || name === 'aria-label') {
      const frame = this.#mounted?.container.querySelector('iframe');
      const label = readLabel(this);
      if (frame && label) frame.title = label;
    } else this.#planMount();
  }

  async #askFor(mode: DisplayMode, app: PlacedApp): Promise<void> {
    this.#asked = mode;
    await app.setDisplayMode(mode);
    if (this.#asked === mode) this.#asked = undefined;
    this.#followMode();
  }

  #settingChanged(name: keyof McpAppSettings): void {
    const app = this.#mounted?.app;
    if (name === 'toolInput' && this.toolInput) app?.sendToolInput(this.toolInput);
    if (name === 'toolResult' && this.toolResult) app?.sendToolResult(this.toolResult);
    if (name === 'hostContext' && this.hostContext) this.sendHostContextChanged(this.hostContext);
    if (name === 'hostInfo') Object.assign(this.#hostInfo, this.hostInfo);
    if (name === 'tools') this.#mounted?.port.toolsChanged();
    this.#planMount();
  }

  #planMount(): void {
    if (this.#isMountPlanned || this.#mounted || !this.isConnected) return;
    this.#isMountPlanned = true;
    queueMicrotask(() => {
      this.#isMountPlanned = false;
      if (this.isConnected && !this.#mounted) this.#mountIfComplete();
    });
  }

  #mountIfComplete(): void {
    const sandbox = readSandbox(this);
    const { tool } = this;
    const resourceUri = readResourceUri(this);
    const canRead =
      this.server ?? this.on_resources_read ?? this.resourceHtml ?? this.#heard.has('mcp-app-resources-read');
    if (!sandbox || !(tool ?? resourceUri) || canRead === false) return;

    const container = this.ownerDocument.createElement('div');
    this.append(container);
    const port = createElementPort(this, this, {
      name: this.getAttribute('server-name') ?? 'server',
      identity: this.getAttribute('server-identity') ?? (this.#identity ??= createIdentity()),
    });
    const app = mountIn(container, {
      ...this.#toOptions(),
      server: port,
      tool,
      resourceUri,
      sandbox,
      recording: createHeardRecording(this, this.recording),
    });
    const toEvents = createSnapshotEvents(this, app);
    const unsubscribe = app.subscribe(() => {
      const snapshot = app.getSnapshot();
      if (this.#mounted?.app === app) this.#followMode();
      toEvents(snapshot);
      if (this.#mounted?.app === app) this.#show(snapshot);
      if (snapshot.status === 'closed') stop();
    });
    const stop = (): void => {
      unsubscribe();
    };
    this.#mounted = { app, port, container, stop };
    this.#deliver(app);
    this.#show(app.getSnapshot());
  }

  /** What is known of the call, in the order the app expects it; the core holds it back until it may go. */
  #deliver(app: PlacedApp): void {
    const mode = toDisplayMode(this.getAttribute('display-mode'));
    if (mode && mode !== 'inline') void app.setDisplayMode(mode);
    if (this.#partial && !this.toolInput) app.sendToolInputPartial(this.#partial);
    if (this.#text !== undefined && !this.toolInput) app.sendToolInputText(this.#text);
    if (this.toolResult) app.sendToolResult(this.toolResult);
    else if (this.#cancelled) app.sendToolCancelled(this.#cancelled.reason);
  }

  #toOptions(): Omit<MountAppOptions, 'server' | 'sandbox'> {
    const { tool, toolInput, limits } = this;
    const id = this.toolCallId ?? this.getAttribute('tool-call-id');
    const title = readLabel(this);
    return {
      toolInput,
      limits,
      ...(title ? { title } : {}),
      hostInfo: this.#hostInfo,
      hostContext: { ...this.#context, ...(id && tool ? { toolInfo: { id, tool } } : {}) },
      displayModes: readDisplayModes(this),
      evidence: readEvidence(this),
      showFailures: false,
      ...this.view,
      ...toPolicyOptions(this, (name) => this.#heard.has(name)),
    };
  }

  /** Writes the mode in force into the attribute, unless a requested mode may still be granted. */
  #followMode(): void {
    if (this.#asked) return;
    const { status, displayMode = 'inline' } = this.getSnapshot() ?? {};
    const shown = this.getAttribute('display-mode');
    if (shown === displayMode || (shown === null && displayMode === 'inline')) return;
    if (status === undefined || (displayMode === 'inline' && starting.includes(status))) return;
    if (displayMode !== this.#wish) this.#wish = undefined;
    this.#setMode(displayMode);
  }

  /** Writes the attribute without asking for a change of mode. */
  #setMode(mode: DisplayMode | undefined): void {
    this.#isFollowing = true;
    if (mode) this.setAttribute('display-mode', mode);
    else this.removeAttribute('display-mode');
    this.#isFollowing = false;
  }

  #show({ status, failure }: AppSnapshot): void {
    this.#showStatus(status, failure);
    const mounted = this.#mounted;
    if (!mounted || mounted.failure === failure) return;
    mounted.failure = failure;
    mounted.error?.remove();
    // A lost server is told as well, but the app that runs stays on the screen.
    if (!failure || !tell(this, 'mcp-app-failure', failure) || status !== 'failed') return;
    mounted.error = createInlineError(
      failure,
      this.fallbackText ?? this.getAttribute('fallback-text') ?? undefined,
      this.view?.words,
    );
    mounted.container.append(mounted.error);
  }

  #showStatus(status: AppSnapshot['status'], failure?: SessionFailure): void {
    this.dataset.appStatus = status;
    if (failure) this.dataset.appFailure = failure.code;
    else delete this.dataset.appFailure;
    const isBusy = status === 'loading' || status === 'sandbox' || status === 'handshake';
    this.toggleAttribute('aria-busy', isBusy);
    if (isBusy) this.setAttribute('aria-busy', 'true');
  }
}

const starting: readonly AppSnapshot['status'][] = ['idle', 'loading', 'sandbox', 'handshake'];

interface Mounted {
  readonly app: PlacedApp;
  readonly port: ElementPort;
  readonly container: HTMLElement;
  readonly stop: () => void;
  failure?: SessionFailure | undefined;
  error?: HTMLElement;
}

let display: CSSStyleSheet | undefined;

/** Elements are inline by default; any rule of the page wins over this one. */
const adoptDisplay = (root: Node): void => {
  if (!display) {
    display = new CSSStyleSheet();
    display.replaceSync(':where(mcp-app:not([hidden])) { display: block; }');
  }
  adoptStyle(root, display);
};
