import type { Theme } from '@casement/protocol';
import { styleVariableNames } from '@casement/protocol/start';

/**
 * Values for all standard style variables, loaded on demand: with light-dark() for both themes at once (HOST-055), or
 * settled for one theme. A host that has a look of its own replaces what it likes.
 */
export const loadDefaultStyles = async (theme?: Theme): Promise<Record<string, string>> => {
  const { toDefaultStyles } = await import('./default-styles.js');
  return toDefaultStyles(styleVariableNames, theme);
};
