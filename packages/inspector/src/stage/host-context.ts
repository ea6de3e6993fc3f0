import type { HostContext } from '@casement/protocol';
import { styleVariableNames } from '@casement/protocol/start';
import type { ViewState } from '../address/view-settings.js';
import { isLocale, resolveTheme } from '../address/view-settings.js';

/** The name and version that apps get as `hostInfo`. */
export const hostInfo = { name: 'casement', title: 'Casement', version: '0.1.0' };

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
export const readHostContext = ({ theme, locale }: Pick<ViewState, 'theme' | 'locale'>): HostContext => {
  const resolved = Intl.DateTimeFormat().resolvedOptions();
  return {
    theme: resolveTheme(theme),
    styles: { variables: readStyleVariables() },
    locale: locale || (isLocale(navigator.language) ? navigator.language : resolved.locale),
    timeZone: resolved.timeZone,
  };
};
