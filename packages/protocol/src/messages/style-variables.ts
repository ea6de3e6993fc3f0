const tones = [
  'primary',
  'secondary',
  'tertiary',
  'inverse',
  'ghost',
  'info',
  'danger',
  'success',
  'warning',
  'disabled',
] as const;
const rings = ['primary', 'secondary', 'inverse', 'info', 'danger', 'success', 'warning'] as const;
const weights = ['normal', 'medium', 'semibold', 'bold'] as const;
const textSizes = ['xs', 'sm', 'md', 'lg'] as const;
const headingSizes = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl'] as const;
const metrics = ['size', 'line-height'] as const;
const radii = ['xs', 'sm', 'md', 'lg', 'xl', 'full'] as const;
const shadows = ['hairline', 'sm', 'md', 'lg'] as const;

/** One of the 76 standard names; an official app refuses to connect when it meets another. */
export type StyleVariableName =
  | `--color-${'background' | 'text' | 'border'}-${(typeof tones)[number]}`
  | `--color-ring-${(typeof rings)[number]}`
  | '--font-sans'
  | '--font-mono'
  | `--font-weight-${(typeof weights)[number]}`
  | `--font-text-${(typeof textSizes)[number]}-${(typeof metrics)[number]}`
  | `--font-heading-${(typeof headingSizes)[number]}-${(typeof metrics)[number]}`
  | `--border-radius-${(typeof radii)[number]}`
  | '--border-width-regular'
  | `--shadow-${(typeof shadows)[number]}`;

/** The standard CSS variables a host may hand to an app. */
export const styleVariableNames: readonly StyleVariableName[] = [
  ...(['background', 'text', 'border'] as const).flatMap((place) =>
    tones.map((tone) => `--color-${place}-${tone}` as const),
  ),
  ...rings.map((tone) => `--color-ring-${tone}` as const),
  '--font-sans',
  '--font-mono',
  ...weights.map((weight) => `--font-weight-${weight}` as const),
  ...metrics.flatMap((metric) => [
    ...textSizes.map((size) => `--font-text-${size}-${metric}` as const),
    ...headingSizes.map((size) => `--font-heading-${size}-${metric}` as const),
  ]),
  ...radii.map((size) => `--border-radius-${size}` as const),
  '--border-width-regular',
  ...shadows.map((size) => `--shadow-${size}` as const),
];
