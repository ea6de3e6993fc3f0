import type { MountedApp } from '@casement/host';
import { mountApp } from '@casement/host';
import { createDelivery } from './deliveries.js';
import type { McpAppOptions } from './live-options.js';
import { toMountOptions } from './live-options.js';

/** One mounted app and the element it lives in, which is ours and not React's. */
export interface RunningApp {
  readonly app: MountedApp;
  readonly key: string;
  readonly container: HTMLElement;
  /** False between the end of an effect and its next start. */
  isWanted: boolean;
  isOver: boolean;
  deliver(now: McpAppOptions): void;
  /** React may be about to take the container away: keeps the frame alive until that is known. */
  park(): void;
  /** Lets the app save, then takes its frame away. */
  end(): void;
}

/** Not in the DOM types yet, nor in every browser. */
interface Movable {
  moveBefore?(node: Node, child: Node | null): void;
}

/** Mounts an app in an element of its own inside `container`. */
export const startApp = (
  container: HTMLElement,
  key: string,
  read: () => McpAppOptions | undefined,
): RunningApp => {
  const page = container.ownerDocument;
  const place = container.appendChild(page.createElement('div'));
  const options = toMountOptions(read);
  const app = mountApp(place, options);
  let parking: HTMLElement | undefined;

  /**
   * Moves the frame without reloading it. In a browser that cannot do this, the frame is removed together with its
   * container.
   */
  const move = (target: HTMLElement & Movable): void => {
    if (place.isConnected && target.isConnected) target.moveBefore?.(place, null);
  };
  const leave = (): void => {
    place.remove();
    parking?.remove();
  };

  return {
    app,
    key,
    container,
    isWanted: true,
    isOver: false,
    deliver: createDelivery(app, options),
    park() {
      parking ??= createParking(page);
      page.body.append(parking);
      move(parking);
      // Still there: it was only hidden, or StrictMode rehearsed the end.
      queueMicrotask(() => {
        if (this.isOver || !container.isConnected) return;
        move(container);
        parking?.remove();
      });
    },
    end() {
      if (this.isOver) return;
      this.isOver = true;
      void app.close('unmounted').then(leave, leave);
    },
  };
};

/** Creates a hidden place in the page. Styled before anything moves in: Chromium 156 loses the tab when a node is restyled after moveBefore. */
const createParking = (page: Document): HTMLElement => {
  const parking = page.createElement('div');
  parking.inert = true;
  parking.style.cssText = 'position:fixed;visibility:hidden';
  return parking;
};
