import type { MountAppOptions, MountedApp } from '@casement/host';
import { mountApp } from '@casement/host';
import { prepareApp } from '@casement/host/prepare';
import { readToolUi } from '@casement/protocol/resource';

/** The next app of the stage, made ready before it is run. */
export interface StageAhead {
  /**
   * Makes the app of these options ready, or keeps it so, which gives false; that of another tool or of other settings is
   * let go of.
   */
  prepare(options: MountAppOptions): boolean;
  /** The same, but nothing that is ready is kept longer for it or let go of. */
  prepareIfFree(options: MountAppOptions): void;
  /** The user presses Run; whether there is an app that was made ready. */
  begin(): boolean;
  /** Mounts an app, in the frames that are ready if they are for it. */
  mount(options: MountAppOptions): MountedApp;
  /** Lets go of what is ready; of these options alone, if they are given. */
  drop(reason: string, options?: MountAppOptions): void;
}

interface Ahead {
  readonly app: ReturnType<typeof prepareApp>;
  readonly options: MountAppOptions;
}

/** Whether both mean the same app in the same frames: everything that decides about them. */
const isSame = (a: MountAppOptions, b: MountAppOptions): boolean => {
  const toKey = ({ tool, family, permissions, sandbox, storage, user }: MountAppOptions): string =>
    JSON.stringify([tool, family, permissions, sandbox, storage, user]);
  return a.server === b.server && a.embedded === b.embedded && toKey(a) === toKey(b);
};

/** Creates the one place for the next app of a stage. */
export const createStageAhead = (container: HTMLElement): StageAhead => {
  let ahead: Ahead | undefined;

  const letGo = (reason: string): void => {
    ahead?.app.drop(reason);
    ahead = undefined;
  };
  /** Lets go of what is ready for something else. */
  const letGoOfOther = (options: MountAppOptions): void => {
    if (!ahead || isSame(ahead.options, options)) return;
    letGo(ahead.options.tool?.name === options.tool?.name ? 'settings' : 'another-tool');
  };
  const prepare = (options: MountAppOptions): boolean => {
    letGoOfOther(options);
    if (readToolUi(options.tool, options.family).resourceUri === undefined) return false;
    const isThere = ahead !== undefined && !ahead.app.isOver;
    if (isThere) ahead?.app.keep();
    else ahead = { app: prepareApp(container, options), options };
    return !isThere;
  };
  return {
    prepare,
    prepareIfFree(options) {
      if (!ahead || ahead.app.isOver) prepare(options);
    },
    begin() {
      if (!ahead || ahead.app.isOver) return false;
      ahead.app.begin();
      return true;
    },
    mount(options) {
      letGoOfOther(options);
      const next = ahead;
      ahead = undefined;
      return next ? next.app.mount(options) : mountApp(container, options);
    },
    drop(reason, options) {
      if (ahead && (!options || isSame(ahead.options, options))) letGo(reason);
    },
  };
};
