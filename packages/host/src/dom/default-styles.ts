import type { StyleVariableName, Theme } from '@casement/protocol';

/** One value, or one for light and one for dark. */
type Value = string | readonly [light: string, dark: string];

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const mono = "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, 'DejaVu Sans Mono', monospace";

/** A quiet, cool grey with four signal colours; every text reaches 4.5:1 on the grounds it is made for. */
const values: Record<StyleVariableName, Value> = {
  '--color-background-primary': ['#ffffff', '#16191e'],
  '--color-background-secondary': ['#f3f5f8', '#1e2229'],
  '--color-background-tertiary': ['#e8ecf1', '#282d36'],
  '--color-background-inverse': ['#1a2330', '#eef1f5'],
  '--color-background-ghost': 'transparent',
  '--color-background-info': ['#e5f0fc', '#14304d'],
  '--color-background-danger': ['#fdecea', '#42191a'],
  '--color-background-success': ['#e4f5ea', '#14361f'],
  '--color-background-warning': ['#fdf3dd', '#3d2f10'],
  '--color-background-disabled': ['#eef0f3', '#22262d'],
  '--color-text-primary': ['#17202b', '#eceff3'],
  '--color-text-secondary': ['#4f5c6b', '#a7b0bd'],
  '--color-text-tertiary': ['#5c6875', '#99a3b0'],
  '--color-text-inverse': ['#ffffff', '#16191e'],
  '--color-text-ghost': ['#5c6875', '#99a3b0'],
  '--color-text-info': ['#10559f', '#8cc1f8'],
  '--color-text-danger': ['#a3211b', '#ff9d94'],
  '--color-text-success': ['#17683a', '#84d8a2'],
  '--color-text-warning': ['#7a5200', '#f3c566'],
  '--color-text-disabled': ['#8a949f', '#6d7783'],
  '--color-border-primary': ['#d5dbe2', '#333a44'],
  '--color-border-secondary': ['#e4e8ed', '#282d36'],
  '--color-border-tertiary': ['#eef1f4', '#22262d'],
  '--color-border-inverse': ['#3b4754', '#c9d0d9'],
  '--color-border-ghost': 'transparent',
  '--color-border-info': ['#9cc5f0', '#2c5f95'],
  '--color-border-danger': ['#f0b3ae', '#7d3533'],
  '--color-border-success': ['#a4d8b6', '#2f6b45'],
  '--color-border-warning': ['#e8cd8d', '#6f5720'],
  '--color-border-disabled': ['#e4e8ed', '#282d36'],
  '--color-ring-primary': ['#1f6fc9', '#72b0f7'],
  '--color-ring-secondary': ['#66727f', '#8e99a7'],
  '--color-ring-inverse': ['#ffffff', '#16191e'],
  '--color-ring-info': ['#1f6fc9', '#72b0f7'],
  '--color-ring-danger': ['#c8352d', '#ff8278'],
  '--color-ring-success': ['#1e7f47', '#6cc98d'],
  '--color-ring-warning': ['#a06d00', '#e5b14a'],
  '--font-sans': sans,
  '--font-mono': mono,
  '--font-weight-normal': '400',
  '--font-weight-medium': '500',
  '--font-weight-semibold': '600',
  '--font-weight-bold': '700',
  '--font-text-xs-size': '12px',
  '--font-text-sm-size': '13px',
  '--font-text-md-size': '14px',
  '--font-text-lg-size': '16px',
  '--font-heading-xs-size': '13px',
  '--font-heading-sm-size': '14px',
  '--font-heading-md-size': '16px',
  '--font-heading-lg-size': '20px',
  '--font-heading-xl-size': '24px',
  '--font-heading-2xl-size': '30px',
  '--font-heading-3xl-size': '36px',
  '--font-text-xs-line-height': '16px',
  '--font-text-sm-line-height': '18px',
  '--font-text-md-line-height': '20px',
  '--font-text-lg-line-height': '24px',
  '--font-heading-xs-line-height': '18px',
  '--font-heading-sm-line-height': '20px',
  '--font-heading-md-line-height': '22px',
  '--font-heading-lg-line-height': '26px',
  '--font-heading-xl-line-height': '30px',
  '--font-heading-2xl-line-height': '36px',
  '--font-heading-3xl-line-height': '42px',
  '--border-radius-xs': '3px',
  '--border-radius-sm': '5px',
  '--border-radius-md': '8px',
  '--border-radius-lg': '12px',
  '--border-radius-xl': '16px',
  '--border-radius-full': '999px',
  '--border-width-regular': '1px',
  '--shadow-hairline': ['0 0 0 1px #0000000f', '0 0 0 1px #ffffff14'],
  '--shadow-sm': ['0 1px 2px #0000001a', '0 1px 2px #00000066'],
  '--shadow-md': ['0 3px 10px #00000024', '0 3px 10px #0000007a'],
  '--shadow-lg': ['0 10px 34px #00000038', '0 10px 34px #0000008f'],
};

/** All standard variables for one theme, or for both. */
export const toDefaultStyles = (theme?: Theme): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toText(value, theme)]));

const toText = (value: Value, theme: Theme | undefined): string => {
  if (typeof value === 'string') return value;
  const [light, dark] = value;
  if (theme) return theme === 'dark' ? dark : light;
  // light-dark() takes colours only: of a shadow, the colour at its end is what differs.
  const colour = / ?(#\w+)$/;
  const [, lightColour = ''] = colour.exec(light) ?? [];
  const [, darkColour = ''] = colour.exec(dark) ?? [];
  return light.replace(/#\w+$/, `light-dark(${lightColour}, ${darkColour})`);
};
