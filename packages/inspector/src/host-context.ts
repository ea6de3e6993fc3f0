import type { HostContext, Theme } from '@casement/protocol';
import { styleVariableNames } from '@casement/protocol';

/** The page's own style variables carry the standard names, so what apps are told is what the page looks like. */
const readStyleVariables = (): Record<string, string> => {
  const computed = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    styleVariableNames.flatMap((name) => {
      const value = computed.getPropertyValue(name).trim();
      return value ? [[name, value]] : [];
    }),
  );
};

/** What an app on this page is told about where it runs. */
export const readHostContext = (theme: Theme): HostContext => ({
  theme,
  styles: { variables: readStyleVariables() },
  locale: navigator.language,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  userAgent: 'casement',
  platform: 'web',
  deviceCapabilities: {
    touch: matchMedia('(any-pointer: coarse)').matches,
    hover: matchMedia('(any-hover: hover)').matches,
  },
});
