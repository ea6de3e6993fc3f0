import type { AppSnapshot } from '../../core/state/app-snapshot.js';
import type { ChromeLevel } from '../mount-app-options.js';

/** The line and the ground an app stands on. */
export interface FrameStyle {
  show(snapshot: AppSnapshot): void;
}

const line = 'var(--color-border-primary, light-dark(#d5dbe2, #333a44))';
const ground = 'var(--color-background-primary, light-dark(#ffffff, #16191e))';

/**
 * Creates the styles of wrapper and frame. The frame becomes visible when the app is first ready. It gets the
 * color-scheme that the app is told as its theme: an app that follows the theme is transparent, and one that ignores it
 * gets a plain background on which its text can be read.
 */
export const createFrameStyle = (
  wrapper: HTMLElement,
  frame: () => HTMLIFrameElement | undefined,
  level: ChromeLevel,
): FrameStyle => ({
  show({ status, displayMode, resource, hostContext: { theme } }) {
    const { style } = wrapper;
    const prefersBorder = resource?.prefersBorder;
    if (prefersBorder !== undefined) wrapper.dataset.border = String(prefersBorder);
    if (theme) style.colorScheme = theme;
    const { style: inner } = frame() ?? {};
    if (inner && status === 'ready') {
      inner.opacity = '';
      inner.colorScheme = theme ?? '';
    }
    const isInline = displayMode === 'inline';
    const isCard = displayMode === 'pip';
    const wish = prefersBorder === undefined ? '' : String(prefersBorder);
    // HOST-014; where the app has no wish, the hairline takes no room (HOST-038), or the embedder's style sheet rules.
    const hasHairline = level !== 'none' && (isCard || (isInline && wish === ''));
    style.border = isInline && wish === 'true' ? `1px solid ${line}` : wish && '0';
    style.outline = hasHairline ? `1px solid ${line}` : '';
    style.background = !isInline || wish === 'true' ? ground : wish && 'transparent';
    if (level === 'none') return;
    style.borderRadius = isCard ? 'var(--border-radius-md, 8px)' : '';
    style.overflow = isCard ? 'clip' : '';
    style.boxShadow = isCard ? 'var(--shadow-lg, 0 10px 34px rgb(0 0 0 / 22%))' : '';
  },
});
