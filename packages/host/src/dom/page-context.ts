import type { HostContext } from '@casement/protocol';

const darkQuery = '(prefers-color-scheme: dark)';

const readTheme = (): 'light' | 'dark' => (matchMedia(darkQuery).matches ? 'dark' : 'light');

/** What any page knows without being told: resolved theme, kind of device, a host identifier (HOST-041). */
export const readPageContext = (): HostContext => ({
  theme: readTheme(),
  platform: 'web',
  userAgent: 'casement/0.1.0',
  deviceCapabilities: {
    touch: navigator.maxTouchPoints > 0,
    hover: matchMedia('(hover: hover)').matches,
  },
  safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 0 },
});

/** Tells when the system's theme changes. */
export const watchTheme = (onTheme: (context: HostContext) => void): (() => void) => {
  const query = matchMedia(darkQuery);
  const listener = (): void => onTheme({ theme: readTheme() });
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};
