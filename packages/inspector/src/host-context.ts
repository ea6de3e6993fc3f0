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

/** What this page adds to what the host knows of any page: its theme, its colours, its language. */
export const readHostContext = (theme: Theme): HostContext => ({
  theme,
  styles: { variables: readStyleVariables() },
  locale: navigator.language,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
