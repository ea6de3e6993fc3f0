import { createLocalTransport } from './local-transport.js';
import { LATEST_PROTOCOL_VERSION } from '../session/session.js';
import type { HostContext } from '../session/types.js';
import type { Transport } from '../session/wire-types.js';

const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/** A browser without a language may say "C", which is none. */
const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
};

/** Creates the transport of a page without a host: the browser's own theme and language, links in a new tab, no server. */
export const createStandaloneTransport = (): Transport =>
  createLocalTransport((notify) => {
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const readTheme = (): Pick<HostContext, 'theme'> => ({ theme: dark.matches ? 'dark' : 'light' });
    const tellTheme = (): void => notify('ui/notifications/host-context-changed', { ...readTheme() });
    dark.addEventListener('change', tellTheme);
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const hostContext: HostContext = {
      ...readTheme(),
      locale: isLanguage(navigator.language) ? navigator.language : locale,
      timeZone,
      displayMode: 'inline',
      availableDisplayModes: ['inline'],
      platform: 'web',
    };
    return {
      answer(method, { url }) {
        if (method === 'ui/initialize')
          return {
            protocolVersion: LATEST_PROTOCOL_VERSION,
            hostInfo: { name: 'no host', version: '1.0.0' },
            hostCapabilities: { openLinks: {} },
            hostContext,
          };
        if (method === 'ui/request-display-mode') return { mode: 'inline' };
        if (method !== 'ui/open-link') return undefined;
        if (!isWebAddress(String(url))) throw new Error('Only http and https addresses are opened.');
        window.open(String(url), '_blank', 'noopener');
        return {};
      },
      hear: () => undefined,
      stop: () => dark.removeEventListener('change', tellTheme),
    };
  });
