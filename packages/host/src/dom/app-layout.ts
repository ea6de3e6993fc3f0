import type { ContainerDimensions, DisplayMode } from '@casement/protocol';
import type { AppSize } from '../core/app-size.js';

/** The element around the frame, and every size and place it takes. */
export interface AppLayout {
  readonly wrapper: HTMLElement;
  setSize(size: AppSize): void;
  setDisplayMode(mode: DisplayMode): ContainerDimensions;
  setBorder(prefersBorder: boolean | undefined): void;
  /** The room the app has now. */
  measure(): ContainerDimensions;
  remove(): void;
}

const initialHeight = 160;

const places: Record<DisplayMode, Partial<CSSStyleDeclaration>> = {
  inline: { position: 'relative', inset: 'auto', zIndex: 'auto', width: '100%', height: 'auto' },
  fullscreen: { position: 'fixed', inset: '0', zIndex: '2147483000', width: '100%', height: '100%' },
  pip: {
    position: 'fixed',
    inset: 'auto 16px 16px auto',
    zIndex: '2147483000',
    width: 'min(400px, calc(100vw - 32px))',
    height: 'min(300px, calc(100vh - 32px))',
  },
};

/** Makes the wrapper in `container`. The frame in it is never moved (that would reload it): all modes are style. */
export const createAppLayout = (container: HTMLElement, maxHeight: number): AppLayout => {
  const wrapper = container.ownerDocument.createElement('div');
  let mode: DisplayMode = 'inline';
  let size: AppSize = {};
  let scheduled = 0;

  const apply = (): void => {
    scheduled = 0;
    wrapper.dataset.displayMode = mode;
    Object.assign(wrapper.style, places[mode]);
    const frame = wrapper.querySelector('iframe');
    if (!frame) return;
    const isInline = mode === 'inline';
    const height = measure().height ?? size.height ?? initialHeight;
    Object.assign(frame.style, {
      display: 'block',
      border: '0',
      width: isInline && size.width !== undefined ? `${size.width}px` : '100%',
      maxWidth: '100%',
      height: isInline ? `${height}px` : '100%',
    });
  };
  const measure = (): ContainerDimensions => {
    const width = wrapper.clientWidth;
    return mode === 'inline' ? { width, maxHeight } : { width, height: wrapper.clientHeight };
  };

  apply();
  container.append(wrapper);
  return {
    wrapper,
    setSize(next) {
      size = { ...size, ...next };
      // Any number of reports costs one layout per painted frame (B23).
      scheduled ||= requestAnimationFrame(apply);
    },
    setDisplayMode(next) {
      mode = next;
      apply();
      return measure();
    },
    setBorder(prefersBorder) {
      // HOST-014: absent leaves the choice to the embedder's own style sheet.
      if (prefersBorder === undefined) return;
      wrapper.dataset.border = String(prefersBorder);
      wrapper.style.border = prefersBorder
        ? '1px solid color-mix(in srgb, currentColor 25%, transparent)'
        : '0';
      wrapper.style.background = prefersBorder ? 'Canvas' : 'transparent';
    },
    measure,
    remove() {
      cancelAnimationFrame(scheduled);
      wrapper.remove();
    },
  };
};
