import { isRecord } from '@casement/protocol/start';
import type { AppResources } from '../core/load/app-resource.js';
import { createAppResources } from '../core/load/app-resources.js';
import type { MountedApp } from '../core/session-options.js';
import type { MountAppOptions } from './mount-app-options.js';
import { mountIn } from './mount-app.js';
import { isShortOfMemory } from './warm/ready-bounds.js';
import type { ReadyApp } from './warm/ready-app.js';

/** An app that somebody will probably ask for: read, and its frames waiting without it. */
export interface PreparedApp {
  /**
   * Shows the app, at once if its frames are ready; by other options than it was prepared with if they are given. They
   * replace all of those: a callback that is left out is a feature that the app is not offered. Call it once.
   */
  mount(options?: MountAppOptions): MountedApp;
  /** The user still seems to want it: it is kept for another minute. */
  keep(): void;
  /** The user presses what mounts it: the document is read now, for a `mount` within a second. */
  begin(): void;
  /** Lets go of it; the reason stands in the recording. */
  drop(reason?: string): void;
  /** Whether it was mounted or dropped, or could not be made ready; `mount` then begins from nothing. */
  readonly isOver: boolean;
}

/**
 * Makes an app ready before anybody asks for it: its resource is read, and its frames wait hidden in `container`. No
 * HTML is in them, the server is asked to read and nothing else, and whatever goes wrong is in the recording alone.
 */
export const prepareApp = (container: HTMLElement, options: MountAppOptions): PreparedApp => {
  const { maxHtmlBytes: maxBytes, resourceMs: timeoutMs } = options.limits ?? {};
  const own = options.resources
    ? undefined
    : createAppResources(options.server, {
        ...(maxBytes === undefined ? {} : { maxBytes }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
  const resources = options.resources ?? own;
  const stops = new AbortController();
  // The server is asked before the code is here that frames the answer.
  const uri = document.hidden || isShortOfMemory() ? undefined : readPlainUri(options);
  const early = uri === undefined ? undefined : resources?.readAhead(uri, stops.signal);
  // Whoever waits for it is told.
  early?.catch(() => undefined);
  let ready: ReadyApp | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    stops.abort();
    own?.close();
  };

  // What draws around an app and watches over it shall be at hand too.
  Promise.all([
    import('./warm/ready-app.js'),
    import('../core/loaded/first-parts.js'),
    import('./page-parts.js'),
  ]).then(
    ([{ createReadyApp }, firstParts, { frameParts }]) => {
      const parts = { ...frameParts, ...firstParts };
      if (isOver || !resources) return;
      const readAhead: AppResources['readAhead'] = (wanted, signal) =>
        wanted === uri && early ? early : resources.readAhead(wanted, signal);
      ready = createReadyApp(container, options, {
        resources: { ...resources, readAhead },
        parts,
        onOver: end,
      });
    },
    // Without this code an app is mounted as if nothing had been prepared.
    end,
  );

  return {
    mount(given = options) {
      const taken = ready?.take(given);
      ready?.drop('mounted-first');
      if (!taken) {
        end();
        return mountIn(container, given);
      }
      isOver = true;
      const app = mountIn(container, { ...given, resources: taken.resources }, taken.place);
      taken.follow(app);
      const stop = app.subscribe(() => {
        if (app.getSnapshot().status !== 'closed') return;
        stop();
        own?.close();
      });
      return app;
    },
    keep: () => ready?.keep(),
    begin: () => ready?.begin(),
    drop(reason = 'dropped') {
      if (isOver) return;
      if (ready) ready.drop(reason);
      else end();
    },
    get isOver() {
      return isOver;
    },
  };
};

/** The address of an app's document where it stands in the one place that the specification has for it. */
const readPlainUri = ({ tool, resourceUri, family, embedded }: MountAppOptions): string | undefined => {
  const ui = tool?._meta?.['ui'];
  const uri = resourceUri ?? (isRecord(ui) ? ui['resourceUri'] : undefined);
  const isPlain = embedded === undefined && (family === undefined || family === 'mcp-apps');
  return isPlain && typeof uri === 'string' && uri.startsWith('ui://') ? uri : undefined;
};
