import type { Theme } from '@casement/protocol';
import { element } from './page-elements.js';

const themeKey = 'casement.theme';

/** Follows the theme control; begins with this tab's last choice, else with what the system prefers. */
export const createThemeControl = (onChange: (theme: Theme) => void): (() => Theme) => {
  const select = element('theme', HTMLSelectElement);
  const read = (): Theme => (select.value === 'dark' ? 'dark' : 'light');
  const apply = (): void => {
    document.documentElement.dataset.theme = read();
  };
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  select.value = sessionStorage.getItem(themeKey) ?? (prefersDark ? 'dark' : 'light');
  apply();
  select.addEventListener('change', () => {
    sessionStorage.setItem(themeKey, read());
    apply();
    onChange(read());
  });
  return read;
};
