/** The three places an app can be shown in; without schemas, so that a page can name them and load those later. */
export const displayModes = ['inline', 'fullscreen', 'pip'] as const;
