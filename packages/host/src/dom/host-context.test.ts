import { hostContextSchema } from '../../../protocol/src/messages/host-context.js';
import { styleVariableNames } from '@casement/protocol/start';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { buildHostContext } from '@casement/host';
import { loadDefaultStyles } from './load-default-styles.js';

verifies(
  ['S5-76', 'S5-72'],
  'buildHostContext without a window says what holds everywhere, and no touch or hover',
  () => {
    expect(typeof window).toBe('undefined');
    expect(buildHostContext({ userAgent: 'my-chat/7' })).toEqual({
      userAgent: 'my-chat/7',
      platform: 'web',
      deviceCapabilities: { touch: false, hover: false },
    });
  },
);

const toRgb = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);

const toLuminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = toRgb(hex).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const toContrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [toLuminance(one), toLuminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

describe('the default styles', () => {
  verifies(
    ['HOST-054', 'HOST-055'],
    'have a value for each of the 76 names, with light-dark() where the themes differ',
    async () => {
      const both = await loadDefaultStyles();
      expect(Object.keys(both)).toEqual([...styleVariableNames]);
      expect(both).toMatchObject({
        '--color-text-primary': 'light-dark(#17202b, #eceff3)',
        '--shadow-sm': '0 1px 2px light-dark(#0000001a, #00000066)',
        '--border-radius-md': '8px',
      });
      // As strict as the official app, which refuses a name or value it does not know.
      expect(() => hostContextSchema({ styles: { variables: both } })).not.toThrow();
      expect(await loadDefaultStyles('dark')).toMatchObject({
        '--color-text-primary': '#eceff3',
        '--shadow-sm': '0 1px 2px #00000066',
      });
    },
  );

  // The values stand in the order of the names: one that slips moves all after it.
  test.each([
    [/^--color-/, /^(?:light-dark\(#[\da-f]{6}, #[\da-f]{6}\)|transparent)$/],
    [/-(?:ghost)$/, /^(?:transparent|light-dark\(#5c6875, #99a3b0\))$/],
    [/^--font-sans$/, /^system-ui,/],
    [/^--font-mono$/, /^ui-monospace,/],
    [/^--font-weight-/, /^[4-7]00$/],
    [/-(?:size|line-height)$/, /^\d\dpx$/],
    [/^--border-(?:radius|width)-/, /^\d+px$/],
    [/^--shadow-/, /^0 .*px.* light-dark\(/],
  ])('give %s values of its kind', async (name, value) => {
    const styles = Object.entries(await loadDefaultStyles()).filter(([key]) => name.test(key));
    expect(styles.length).toBeGreaterThan(0);
    expect(styles.filter(([, text]) => !value.test(text))).toEqual([]);
  });

  const tones = ['info', 'danger', 'success', 'warning'];
  const pairs = [
    ...['primary', 'secondary', 'tertiary', 'ghost', ...tones].flatMap((text) =>
      ['primary', 'secondary', 'tertiary'].map((ground) => [text, ground] as const),
    ),
    ...tones.map((tone) => [tone, tone] as const),
    ...tones.map((tone) => ['primary', tone] as const),
    ['inverse', 'inverse'] as const,
  ];

  test.each(['light', 'dark'] as const)(
    'can be read in %s: 4.5 to 1 for text, 3 to 1 for rings',
    async (theme) => {
      const styles = await loadDefaultStyles(theme);
      const colour = (name: string): string => styles[`--color-${name}`] ?? '';
      const faint = pairs
        .map(([text, ground]) => ({
          pair: `${text} on ${ground}`,
          contrast: toContrast(colour(`text-${text}`), colour(`background-${ground}`)),
        }))
        .filter(({ contrast }) => contrast < 4.5);
      expect(faint).toEqual([]);
      const rings = ['primary', 'secondary', ...tones].filter(
        (ring) => toContrast(colour(`ring-${ring}`), colour('background-primary')) < 3,
      );
      expect(rings).toEqual([]);
    },
  );
});
