/**
 * Lets this page follow the theme the host tells the app, which it can read as it passes. A frame whose colour scheme
 * differs from that of the page in it gets an opaque canvas: an app that takes on the dark theme would stand on a
 * patch of another dark than the host's, while one that knows no themes needs the white canvas to be readable.
 * (`prefers-color-scheme` would not do: in Chromium it tells the system's theme, not the host's.)
 */
export const followTheme = (message: Readonly<Record<string, unknown>>): void => {
  const read = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const isChange = message['method'] === 'ui/notifications/host-context-changed';
  const context = isChange ? message['params'] : read(message['result'], 'hostContext');
  const theme = read(context, 'theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
};
