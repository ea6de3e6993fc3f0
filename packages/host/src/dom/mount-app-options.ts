import type { DisplayMode } from '@casement/protocol';
import type { SessionOptions } from '../core/session-options.js';
import type { InlineHeight } from './frame/app-layout.js';
import type { AppWords } from './host-words.js';

/**
 * What the host draws around an app: a line naming the server, with a head and Close in the other modes (minimal);
 * besides, the app's name and controls (full); or nothing, because the embedder draws all of it.
 */
export type ChromeLevel = 'full' | 'minimal' | 'none';

/** Options of mountApp: those of a session, and what only a page needs. */
export interface MountAppOptions extends SessionOptions {
  /** The accessible name of the frame. */
  readonly title?: string;
  /** What the host's own words call the app; the tool's title unless given. */
  readonly name?: string;
  /**
   * `near`: the app is mounted when its place comes near what is seen, and makes room when too many live on the page
   * (`limits.maxLiveApps`); `always`: it is mounted at once and stays. Near unless said otherwise.
   */
  readonly presence?: 'near' | 'always';
  /** What is drawn around the app, in the host's own DOM; minimal unless said otherwise. */
  readonly chrome?: ChromeLevel;
  /** Whether a failure is shown in the app's place with a way to reload; true unless said otherwise or without chrome. */
  readonly showFailures?: boolean;
  /** The words of the host, for other languages: `{ chrome, failures }`; words of the chrome may stand beside the groups. */
  readonly words?: AppWords;
  /** The heights of an inline app: 400 until it says otherwise, then what it says. */
  readonly inlineHeight?: InlineHeight;
  /** Gives the app values for all standard style variables; those the page or the embedder has win. */
  readonly defaultStyles?: boolean;
  /** Font CSS that apps are told as `styles.css.fonts`: `@font-face` or `@import` rules, at most 65,536 characters. */
  readonly fonts?: string;
  /** Whether the policy in force is said in the browser's console, one line per app; true unless said otherwise. */
  readonly logPolicy?: boolean;
  /**
   * The user chose a mode in the chrome, or left one with Escape. False says that the embedder sees to it, with
   * setDisplayMode if it agrees; otherwise the mode is changed here.
   */
  onModeChosen?(mode: DisplayMode): boolean | undefined;
  /** Opens a link the user agreed to; window.open with noopener and noreferrer unless given. */
  openLink?(url: string): void;
}
