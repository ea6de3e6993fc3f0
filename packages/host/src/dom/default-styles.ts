import type { StyleVariableName, Theme } from '@casement/protocol';

/** One value, or one for light and one for dark. */
type Value = string | readonly [light: string, dark: string];

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const mono = "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, 'DejaVu Sans Mono', monospace";

/**
 * A quiet, cool grey with four signal colours; every text reaches 4.5:1 on the grounds it is made for. The values stand in
 * the order of `styleVariableNames`.
 */
const values: readonly Value[] = [
  ['#ffffff', '#16191e'], // --color-background-primary
  ['#f3f5f8', '#1e2229'], // --color-background-secondary
  ['#e8ecf1', '#282d36'], // --color-background-tertiary
  ['#1a2330', '#eef1f5'], // --color-background-inverse
  'transparent', // --color-background-ghost
  ['#e5f0fc', '#14304d'], // --color-background-info
  ['#fdecea', '#42191a'], // --color-background-danger
  ['#e4f5ea', '#14361f'], // --color-background-success
  ['#fdf3dd', '#3d2f10'], // --color-background-warning
  ['#eef0f3', '#22262d'], // --color-background-disabled
  ['#17202b', '#eceff3'], // --color-text-primary
  ['#4f5c6b', '#a7b0bd'], // --color-text-secondary
  ['#5c6875', '#99a3b0'], // --color-text-tertiary
  ['#ffffff', '#16191e'], // --color-text-inverse
  ['#5c6875', '#99a3b0'], // --color-text-ghost
  ['#10559f', '#8cc1f8'], // --color-text-info
  ['#a3211b', '#ff9d94'], // --color-text-danger
  ['#17683a', '#84d8a2'], // --color-text-success
  ['#7a5200', '#f3c566'], // --color-text-warning
  ['#8a949f', '#6d7783'], // --color-text-disabled
  ['#d5dbe2', '#333a44'], // --color-border-primary
  ['#e4e8ed', '#282d36'], // --color-border-secondary
  ['#eef1f4', '#22262d'], // --color-border-tertiary
  ['#3b4754', '#c9d0d9'], // --color-border-inverse
  'transparent', // --color-border-ghost
  ['#9cc5f0', '#2c5f95'], // --color-border-info
  ['#f0b3ae', '#7d3533'], // --color-border-danger
  ['#a4d8b6', '#2f6b45'], // --color-border-success
  ['#e8cd8d', '#6f5720'], // --color-border-warning
  ['#e4e8ed', '#282d36'], // --color-border-disabled
  ['#1f6fc9', '#72b0f7'], // --color-ring-primary
  ['#66727f', '#8e99a7'], // --color-ring-secondary
  ['#ffffff', '#16191e'], // --color-ring-inverse
  ['#1f6fc9', '#72b0f7'], // --color-ring-info
  ['#c8352d', '#ff8278'], // --color-ring-danger
  ['#1e7f47', '#6cc98d'], // --color-ring-success
  ['#a06d00', '#e5b14a'], // --color-ring-warning
  sans, // --font-sans
  mono, // --font-mono
  '400', // --font-weight-normal
  '500', // --font-weight-medium
  '600', // --font-weight-semibold
  '700', // --font-weight-bold
  '12px', // --font-text-xs-size
  '13px', // --font-text-sm-size
  '14px', // --font-text-md-size
  '16px', // --font-text-lg-size
  '13px', // --font-heading-xs-size
  '14px', // --font-heading-sm-size
  '16px', // --font-heading-md-size
  '20px', // --font-heading-lg-size
  '24px', // --font-heading-xl-size
  '30px', // --font-heading-2xl-size
  '36px', // --font-heading-3xl-size
  '16px', // --font-text-xs-line-height
  '18px', // --font-text-sm-line-height
  '20px', // --font-text-md-line-height
  '24px', // --font-text-lg-line-height
  '18px', // --font-heading-xs-line-height
  '20px', // --font-heading-sm-line-height
  '22px', // --font-heading-md-line-height
  '26px', // --font-heading-lg-line-height
  '30px', // --font-heading-xl-line-height
  '36px', // --font-heading-2xl-line-height
  '42px', // --font-heading-3xl-line-height
  '3px', // --border-radius-xs
  '5px', // --border-radius-sm
  '8px', // --border-radius-md
  '12px', // --border-radius-lg
  '16px', // --border-radius-xl
  '999px', // --border-radius-full
  '1px', // --border-width-regular
  ['0 0 0 1px #0000000f', '0 0 0 1px #ffffff14'], // --shadow-hairline
  ['0 1px 2px #0000001a', '0 1px 2px #00000066'], // --shadow-sm
  ['0 3px 10px #00000024', '0 3px 10px #0000007a'], // --shadow-md
  ['0 10px 34px #00000038', '0 10px 34px #0000008f'], // --shadow-lg
];

/** All standard variables for one theme, or for both. */
export const toDefaultStyles = (
  /** Handed over so that bundlers keep it where it is. */
  names: readonly StyleVariableName[],
  theme?: Theme,
): Record<string, string> =>
  Object.fromEntries(names.map((name, index) => [name, toText(values[index] ?? '', theme)]));

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
