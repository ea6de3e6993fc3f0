/** The host's locale if it is one the browser knows, else the browser's own. */
export const readLocale = (locale: string | undefined): string | undefined => {
  try {
    return locale === undefined ? undefined : Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
};
