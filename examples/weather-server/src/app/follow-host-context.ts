interface HostContext {
  theme?: unknown;
  locale?: unknown;
  styles?: { variables?: Record<string, unknown> };
}

/** Applies the host's theme and style variables; what it does not send keeps our own values. */
export const followHostContext = (context: HostContext): void => {
  const root = document.documentElement;
  if (context.theme === 'light' || context.theme === 'dark') root.dataset.theme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
};

/** The host's locale if it is one the browser knows, else the browser's own. */
export const readLocale = (context: HostContext): string | undefined => {
  if (typeof context.locale !== 'string') return undefined;
  try {
    return Intl.getCanonicalLocales(context.locale)[0];
  } catch {
    return undefined;
  }
};
