/**
 * The three display modes. They are in a file without schemas, so that a page can use the names without loading the
 * validator.
 */
export const displayModes = ['inline', 'fullscreen', 'pip'] as const;
