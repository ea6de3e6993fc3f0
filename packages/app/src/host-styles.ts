import type { HostContext, Theme } from './types.js';

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
