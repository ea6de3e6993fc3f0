import type { AppControls, AppOptions } from '../core/session-options.js';

/** Options of mountApp: those of a session, and what only a page needs. */
export interface MountAppOptions extends AppOptions {
  /** The accessible name of the frame. */
  readonly title?: string;
  /** Opens a link the user agreed to; window.open with noopener and noreferrer unless given. */
  openLink?(url: string): void;
}

/** An app mounted in a page. */
export type MountedApp = AppControls;
