import type { Theme } from '@casement/protocol';
import type { AddressValues } from './page-address.js';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';

/** The tabs of the right-hand side. */
export const tabs = ['timeline', 'console', 'state', 'security', 'model'] as const;
/** Which tab is open. */
export type TabName = (typeof tabs)[number];

/** The two ways to use an app: alone on the stage, or in a conversation. */
export const views = ['workbench', 'chat'] as const;
/** One of the ways. */
export type ViewName = (typeof views)[number];

/** How wide the app is shown. */
export const widths = ['full', 'tablet', 'phone'] as const;
/** One of the width presets. */
export type WidthName = (typeof widths)[number];

/** Whether apps of the workbench are offered what goes to a model: messages, and what it should know. */
export const messageOffers = ['offered', 'withheld'] as const;
/** One of the offers. */
export type MessageOffer = (typeof messageOffers)[number];

/** The themes to choose from; `system` follows the browser. */
export const themes = ['system', 'light', 'dark'] as const;
/** One of the themes to choose from. */
export type ThemeName = (typeof themes)[number];

/** How fast arguments are played to an app before the call, as a model would write them. */
export const paces = ['off', 'slow', 'model', 'fast'] as const;
/** One of the paces. */
export type PaceName = (typeof paces)[number];

/** How long what an app stores lasts; without any, its origin is opaque. */
export const storages = ['page', 'persistent', 'none'] as const;
/** One of the three. */
export type StorageName = (typeof storages)[number];

/** The part of the page a narrow window shows. */
export const panes = ['tools', 'app', 'inspect'] as const;
/** One of the parts. */
export type PaneName = (typeof panes)[number];

/** How the page looks. */
export interface ViewState {
  view: ViewName;
  /** The id of the model the chat talks to; nothing is the one it begins with. */
  model: string;
  tab: TabName;
  filter: string;
  theme: ThemeName;
  width: WidthName;
  /** A language tag for the app, or nothing for the browser's own. */
  locale: string;
  /** How fast arguments are played to an app before the call. */
  stream: PaceName;
  messages: MessageOffer;
  storage: StorageName;
  pane: PaneName;
}

/** The settings of this tab. */
export interface ViewSettings extends Readable<ViewState> {
  change(patch: Partial<ViewState>): void;
}

const toOneOf = <T extends string>(value: string | undefined, allowed: readonly T[]): T | undefined =>
  allowed.find((one) => one === value);

/** Whether a text names a language; a browser without one may say "C". */
export const isLocale = (value: string): boolean => {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
};

/** Reads how the page should look from an address's values; what is not understood takes its default. */
export const parseViewState = (address: AddressValues): ViewState => ({
  view: toOneOf(address.view, views) ?? 'workbench',
  model: address.model?.slice(0, 200) ?? '',
  tab: toOneOf(address.tab, tabs) ?? 'timeline',
  filter: address.filter?.slice(0, 500) ?? '',
  theme: toOneOf(address.theme, themes) ?? 'system',
  width: toOneOf(address.width, widths) ?? 'full',
  locale: address.locale !== undefined && isLocale(address.locale) ? address.locale : '',
  stream: toOneOf(address.stream, paces) ?? 'off',
  messages: toOneOf(address.messages, messageOffers) ?? 'offered',
  storage: toOneOf(address.storage, storages) ?? 'page',
  pane: 'app',
});

/** What an address has to carry to bring these settings back; defaults need no words. */
export const toViewAddress = ({
  view,
  model,
  tab,
  filter,
  theme,
  width,
  locale,
  stream,
  messages,
  storage,
}: ViewState): AddressValues => ({
  ...(view === 'workbench' ? {} : { view }),
  ...(model === '' ? {} : { model }),
  ...(tab === 'timeline' ? {} : { tab }),
  ...(filter === '' ? {} : { filter }),
  ...(theme === 'system' ? {} : { theme }),
  ...(width === 'full' ? {} : { width }),
  ...(locale === '' ? {} : { locale }),
  ...(stream === 'off' ? {} : { stream }),
  ...(messages === 'offered' ? {} : { messages }),
  ...(storage === 'page' ? {} : { storage }),
});

/** Creates the settings of this tab. */
export const createViewSettings = (initial: ViewState): ViewSettings => {
  const store = createStore(initial);
  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    change: (patch) => store.set({ ...store.getSnapshot(), ...patch }),
  };
};

const darkQuery = '(prefers-color-scheme: dark)';

/** The theme in force. */
export const resolveTheme = (theme: ThemeName): Theme => {
  if (theme !== 'system') return theme;
  return matchMedia(darkQuery).matches ? 'dark' : 'light';
};

/** Tells when the browser's own theme changes. */
export const watchSystemTheme = (listener: () => void): void =>
  matchMedia(darkQuery).addEventListener('change', listener);
