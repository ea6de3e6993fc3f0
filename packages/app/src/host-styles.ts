import type { HostContext, Theme } from './session/types.js';

/** The theme the document is in. */
export const getDocumentTheme = (): Theme =>
  document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light';

/** Puts the document into a theme: `data-theme` for selectors, `color-scheme` for `light-dark()` and form controls. */
export const applyDocumentTheme = (theme: Theme): void => {
  const root = document.documentElement;
  root.dataset['theme'] = theme;
  root.style.colorScheme = theme;
};

/** Sets the host's style variables on an element, the root by default. */
export const applyHostStyleVariables = (
  variables: Readonly<Record<string, string | undefined>>,
  root: HTMLElement = document.documentElement,
): void => {
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined) root.style.setProperty(name, value);
};

/** A length in pixels, or none. */
const toPx = (length: number | undefined): string => (length === undefined ? '' : `${length}px`);

/**
 * Fits the document to its room (VIEW-008): an axis the host has fixed is filled, on one that is the app's to choose
 * it ends at the host's maximum, beyond which it scrolls. For the whole context, not for a change of it.
 */
export const applyContainerDimensions = (
  { height, maxHeight, maxWidth }: NonNullable<HostContext['containerDimensions']> = {},
  { style }: HTMLElement = document.documentElement,
): void => {
  style.height = height === undefined ? '' : '100vh';
  style.maxHeight = height === undefined ? toPx(maxHeight) : '';
  // A block fills a width that is fixed by itself.
  style.maxWidth = toPx(maxWidth);
};

const FONTS_ID = 'mcp-host-fonts';

/** Takes the host's fonts into the document; later ones replace earlier ones. */
export const applyHostFonts = (css: string): void => {
  const style = document.getElementById(FONTS_ID) ?? document.createElement('style');
  style.id = FONTS_ID;
  style.textContent = css;
  document.head.append(style);
};

/** Applies everything of a context that is about looks. */
export const applyHostStyles = ({ theme, styles }: Partial<HostContext>): void => {
  if (theme) applyDocumentTheme(theme);
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (styles?.css?.fonts) applyHostFonts(styles.css.fonts);
};
