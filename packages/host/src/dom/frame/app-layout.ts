import type { DisplayMode, HostContext } from '@casement/protocol';
import type { AppSize } from '../../core/surface.js';
import { adoptStyle } from '../adopt-style.js';

/** The element around the frame, and every size and place it takes. */
export interface AppLayout {
  readonly wrapper: HTMLElement;
  /** What the embedder gave: its style is the page's, the wrapper's is already the app's. */
  readonly place: HTMLElement;
  /** Where the host's own words about the app stand, over its frame. */
  readonly head: HTMLElement;
  setSize(size: AppSize): void;
  /** The room the app was told it has, when the embedder said so. */
  setRoom(room: NonNullable<HostContext['containerDimensions']> | undefined): void;
  setDisplayMode(mode: DisplayMode): NonNullable<HostContext['containerDimensions']>;
  /**
   * Puts the app into the top layer or back into the page, before its size is measured; undefined until that code is
   * loaded.
   */
  raise: ((mode: DisplayMode) => void) | undefined;
  /** Gives the tree that the app is in a style sheet, once. */
  adoptStyle(sheet: CSSStyleSheet): void;
  /**
   * Keeps the wrapper at least so tall, whatever is or is not in it; undefined lets it follow its content. Until there
   * is a first frame it is as tall as that will be.
   */
  hold(height: number | undefined): void;
  /** The room the app has now. */
  measure(): NonNullable<HostContext['containerDimensions']>;
  /** Stops all restyling: the app is being closed. */
  rest(): void;
  remove(): void;
}

/** The heights an inline app may have, in pixels. */
export interface InlineHeight {
  /** Until the app says how tall it is. */
  readonly initial?: number;
  readonly min?: number;
  readonly max?: number;
}

/**
 * Every mode is style: a frame that is moved starts anew. The floating card is at the top, where it leaves the input
 * of a chat, at the bottom, in reach (S1-69); a page that has a place of its own for a mode says where in these
 * variables. Everything else is in the top layer, where the browser has one.
 */
const places: Record<DisplayMode, Partial<CSSStyleDeclaration>> = {
  inline: { position: 'relative', inset: 'auto', zIndex: 'auto', width: '100%', height: 'auto' },
  fullscreen: {
    position: 'fixed',
    // Over a card too, wherever in the page that has its frame.
    zIndex: '2147483001',
    inset: 'var(--mcp-app-fullscreen-inset, 0)',
    width: 'auto',
    height: 'auto',
  },
  pip: {
    position: 'fixed',
    zIndex: 'var(--mcp-app-pip-layer, 2147483000)',
    inset: 'var(--mcp-app-pip-inset, var(--mcp-app-pip-moved, 16px 16px auto auto))',
    width: 'var(--mcp-app-pip-width, min(400px, calc(100% - 32px)))',
    height: 'var(--mcp-app-pip-height, min(320px, calc(100% - 32px)))',
  },
};

/** Makes the wrapper in `container`; `headHeight` is what the head will take, for the time before it is drawn. */
export const createAppLayout = (
  container: HTMLElement,
  heights: Required<InlineHeight>,
  headHeight: number,
): AppLayout => {
  const page = container.ownerDocument;
  const wrapper = page.createElement('div');
  const head = page.createElement('div');
  let mode: DisplayMode = 'inline';
  let size: AppSize = {};
  // A union of per-axis shapes; read as the flat object it is on the wire.
  let room: { width?: number; height?: number } = {};
  let scheduled = 0;
  let isResting = false;
  let floor: number | undefined = heights.initial + headHeight;
  let isHeld = false;

  const apply = (): void => {
    scheduled = 0;
    // The head's own style sheet reads it there, so that the room is right at once.
    wrapper.dataset.displayMode = head.dataset.mode = mode;
    Object.assign(wrapper.style, { display: 'flex', flexDirection: 'column', boxSizing: 'border-box' });
    Object.assign(wrapper.style, places[mode]);
    const frame = wrapper.querySelector('iframe');
    const isInline = mode === 'inline';
    if (frame && !isHeld) floor = undefined;
    wrapper.style.minHeight = isInline && floor !== undefined ? `${floor}px` : '';
    if (!frame) return;
    // Reading the width has the page laid out: only where it matters.
    const isOwnWidth = room.width === undefined || room.width === wrapper.clientWidth;
    const width = isOwnWidth ? size.width : room.width;
    const height = room.height ?? Math.max(heights.min, size.height ?? heights.initial);
    Object.assign(frame.style, {
      display: 'block',
      border: '0',
      width: isInline && width !== undefined ? `${width}px` : '100%',
      maxWidth: '100%',
      minHeight: '0',
      flex: isInline ? 'none' : '1',
      height: isInline ? `${height}px` : 'auto',
    });
  };
  // Any number of reports costs one layout per painted frame (B23).
  const applySoon = (): void => {
    if (!isResting) scheduled ||= requestAnimationFrame(apply);
  };
  const measure = (): NonNullable<HostContext['containerDimensions']> => {
    const { clientWidth: width, clientHeight } = wrapper;
    return mode === 'inline'
      ? { width, maxHeight: heights.max }
      : { width, height: clientHeight - head.offsetHeight };
  };

  apply();
  wrapper.append(head);
  container.append(wrapper);
  const layout: AppLayout = {
    wrapper,
    place: container,
    head,
    raise: undefined,
    adoptStyle: (sheet) => adoptStyle(wrapper.getRootNode(), sheet),
    setSize(next) {
      size = { ...size, ...next };
      applySoon();
    },
    setRoom(next = {}) {
      room = next;
      applySoon();
    },
    setDisplayMode(next) {
      mode = next;
      apply();
      layout.raise?.(mode);
      return measure();
    },
    hold(height) {
      floor = height;
      isHeld = height !== undefined;
      if (!isResting) apply();
    },
    measure,
    rest() {
      isResting = true;
      cancelAnimationFrame(scheduled);
    },
    remove() {
      cancelAnimationFrame(scheduled);
      wrapper.remove();
    },
  };
  return layout;
};
