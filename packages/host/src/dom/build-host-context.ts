import type { HostContext } from '@casement/protocol';
import { styleVariableNames } from '@casement/protocol/start';
import { defaultLimits } from '../core/limits.js';

/** What buildHostContext cannot find out by itself. */
export interface BuildHostContextOptions {
  /** The element the app will be in; the page's root unless given. */
  readonly container?: Element;
  /** The host's own name and version, never the browser's. */
  readonly userAgent?: string;
  /** Font CSS that apps may use: `@font-face` or `@import` rules. */
  readonly fonts?: string | undefined;
  /** The tallest an inline app may become. */
  readonly maxHeight?: number;
}

/** The whole host context as this page can tell it; without a window only what holds everywhere. */
export const buildHostContext = (options: BuildHostContextOptions = {}): HostContext => {
  const page = readPage(options);
  if (typeof window === 'undefined') return page;
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const width = (options.container ?? document.documentElement).clientWidth;
  return {
    ...page,
    locale,
    timeZone,
    containerDimensions: { width, maxHeight: options.maxHeight ?? defaultLimits.maxHeight },
  };
};

/** The part that follows the page's look and device; locale and room are known to every session. */
export const readPage = ({
  container,
  fonts,
  userAgent = 'casement/0.1.0',
}: BuildHostContextOptions): HostContext => {
  const known: HostContext = {
    userAgent,
    platform: 'web',
    deviceCapabilities: { touch: matches('(any-pointer: coarse)'), hover: matches('(any-hover: hover)') },
  };
  if (typeof window === 'undefined') return known;
  const style = getComputedStyle(container ?? document.documentElement);
  const variables = Object.fromEntries(
    styleVariableNames
      .map((name) => [name, style.getPropertyValue(name).trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  const styles = {
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    ...(fonts === undefined ? {} : { css: { fonts } }),
  };
  return {
    ...known,
    theme: toTheme(style.colorScheme),
    safeAreaInsets: readSafeArea(),
    ...(Object.keys(styles).length > 0 ? { styles } : {}),
  };
};

const matches = (query: string): boolean =>
  typeof window !== 'undefined' && typeof window.matchMedia === 'function' && matchMedia(query).matches;

/** The page's own color-scheme decides; where it allows both or says nothing, the system does. */
const toTheme = (colorScheme: string): 'light' | 'dark' => {
  const isDark = colorScheme.includes('dark');
  if (isDark !== colorScheme.includes('light')) return isDark ? 'dark' : 'light';
  return matches('(prefers-color-scheme: dark)') ? 'dark' : 'light';
};

/** env() has no value in script: an element that uses it as padding is measured and removed. */
const readSafeArea = (): { top: number; right: number; bottom: number; left: number } => {
  const probe = document.createElement('div');
  Object.assign(probe.style, { position: 'fixed', visibility: 'hidden', pointerEvents: 'none' });
  for (const side of ['top', 'right', 'bottom', 'left']) {
    probe.style.setProperty(`padding-${side}`, `env(safe-area-inset-${side}, 0px)`);
  }
  document.documentElement.append(probe);
  const { paddingTop, paddingRight, paddingBottom, paddingLeft } = getComputedStyle(probe);
  const insets = {
    top: parseFloat(paddingTop) || 0,
    right: parseFloat(paddingRight) || 0,
    bottom: parseFloat(paddingBottom) || 0,
    left: parseFloat(paddingLeft) || 0,
  };
  probe.remove();
  return insets;
};
