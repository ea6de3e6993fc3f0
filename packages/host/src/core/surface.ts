import type { DisplayMode, HostContext, Transport } from '@casement/protocol';
import type { SessionFailure } from './state/session-state.js';

/** A size the frame should take. */
export interface AppSize {
  readonly width?: number;
  readonly height?: number;
}

/** The outer frame to make: the proxy's page with fixed sandbox tokens. */
export interface FrameSpec {
  readonly url: string;
  readonly origin: string;
  readonly sandbox: string;
  readonly allow: string;
  /** Whether the frame shall share no storage and no cookies with anything but this page. */
  readonly credentialless: boolean;
  /** Where to ask why the proxy does not come up, if it is served by a handler. */
  readonly probeUrl?: string;
  /** The release of the page's own code. */
  readonly release: string;
}

/** Everything a session does outside itself. The DOM implements it; in tests it is a few lines. */
export interface Surface {
  /** The origin of this page first, then those of the pages it is framed in. */
  readonly origins: readonly string[];
  /** Whether this browser can make frames that are credentialless. */
  readonly hasCredentialless: boolean;
  /** What the page itself knows: theme, platform, input, size. The embedder's own words win over it. */
  readonly context: HostContext;
  /** An object that all surfaces of one page share, so that their apps are started a few at a time. */
  readonly page?: object;
  /** Makes the frame and returns the way to the proxy in it, which is open before the frame's first script runs. */
  mount(frame: FrameSpec): Transport;
  /** Called when the frame is mounted: resolves when all that this app needs around it is there. No byte of it is handed over before. */
  guard?(): Promise<void>;
  unmount(): void;
  /**
   * Waits until the mounted frame has loaded, then finds out why its proxy is silent; undefined if the cause is not
   * certain. `signal` aborts when the proxy speaks.
   */
  diagnose?(frame: FrameSpec, signal: AbortSignal): Promise<SessionFailure | undefined>;
  setSize(size: AppSize): void;
  /**
   * Asks the app's loader what the user would miss of its page: scroll positions and form fields. What comes is the
   * guest's word; undefined without an answer in time.
   */
  readView?(): Promise<unknown>;
  /** Gives the loader back what it said of the same page before. */
  giveView?(view: unknown): void;
  /** Has the app's frame read a text; a text, `{ refused }`, or undefined without an answer. All of it the guest's word. */
  fetchText?(url: string): Promise<unknown>;
  /** Shows the app in a mode, by style alone, and says what room it has there. */
  setDisplayMode(mode: DisplayMode): NonNullable<HostContext['containerDimensions']> | undefined;
  /**
   * Runs a callback once, before the next paint; returns a function that cancels it. Without this method a short pause
   * is used.
   */
  nextFrame?(callback: () => void): () => void;
  openLink(url: string): void;
  /** Saves a file under a safe name; the user agreed. */
  saveFile(file: { name: string; mimeType: string; content: Uint8Array<ArrayBuffer> }): void;
  /** Whether the user did something in this app, not just somewhere in its page, a moment ago; after `since` on the page's clock, if given. */
  hasUserActivation(since?: number): Promise<boolean>;
}
