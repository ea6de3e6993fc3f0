import type { ServerWatch, WatchedServer } from './server-watch.js';
import { tellChanged } from './app-documents.js';

/** Creates the watch over one server; its code is loaded when it is switched on first, which most never are. */
export const createLateWatch = (server: WatchedServer, named: readonly string[]): ServerWatch => {
  let watch: ServerWatch | undefined;
  let isClosed = false;
  return {
    summary: () => watch?.summary(),
    async set(isOn) {
      if (isOn && !watch) {
        const { createServerWatch } = await import('./server-watch.js');
        if (isClosed) return;
        watch ??= createServerWatch(server, named);
      }
      await watch?.set(isOn);
    },
    async look(uri) {
      if (watch) return watch.look(uri);
      const found = await server.documents.look(uri);
      tellChanged(server, found, 'look');
      return found;
    },
    close() {
      isClosed = true;
      watch?.close();
    },
  };
};
