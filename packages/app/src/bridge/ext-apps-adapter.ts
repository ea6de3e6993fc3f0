import { App, type AppOptions } from '../app.js';
import { Bridge } from './bridge.js';
import type { AppCapabilities, Implementation } from '../session/types.js';

/** The options of an adapter. */
interface ExtAppsAdapterInput {
  readonly options?: AppOptions | undefined;
  readonly appInfo?: Implementation | undefined;
  readonly capabilities?: AppCapabilities | undefined;
}

/** The bridge of a TypeScript page: asked whether there is a host, initialized, then used. */
export class ExtAppsAdapter extends Bridge {
  #initialized: Promise<void> | undefined;

  constructor({ options, appInfo, capabilities }: ExtAppsAdapterInput = {}) {
    const info = appInfo ?? { name: 'MCP App', version: '1.0.0' };
    const app = new App(info, capabilities ?? { tools: { listChanged: true } }, options);
    super(app, () => this.#initialized ?? Promise.resolve());
  }

  /** Whether something frames this page that could be a host. */
  canHandle(): boolean {
    return typeof window === 'object' && window.parent !== window;
  }

  /** Shakes hands; calls made meanwhile wait for it. */
  initialize(): Promise<void> {
    return (this.#initialized = this.app.connect());
  }
}
