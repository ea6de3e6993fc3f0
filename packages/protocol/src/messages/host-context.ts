import { displayModes } from './display-modes.js';
import { isRecord } from '../is-record.js';
import {
  array,
  boolean,
  check,
  finiteNumber,
  idOrToken,
  oneOf,
  openObject,
  text,
  type Infer,
} from './schema.js';
import { styleVariableNames, type StyleVariableName } from './style-variables.js';
import { toolSchema } from './tool-schemas.js';

export const displayModeSchema = oneOf(...displayModes);
export type DisplayMode = Infer<typeof displayModeSchema>;

/** Only two: `system` must be resolved before it is sent. */
const themeSchema = oneOf('light', 'dark');
export type Theme = Infer<typeof themeSchema>;

/** Per axis a fixed size, a maximum, or neither for unbounded. */
const containerDimensionsSchema = openObject(
  {},
  { width: finiteNumber, height: finiteNumber, maxWidth: finiteNumber, maxHeight: finiteNumber },
);

const names: ReadonlySet<string> = new Set(styleVariableNames);
const styleVariables = check<Partial<Record<StyleVariableName, string>>>(
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, css]) => names.has(name) && (css === undefined || typeof css === 'string'),
    ),
  'only standard style variables, each a string',
);

/** What the host tells an app about its surroundings; as strict as the official app, which refuses to connect. */
export const hostContextSchema = openObject(
  {},
  {
    toolInfo: openObject({ tool: toolSchema }, { id: idOrToken }),
    theme: themeSchema,
    styles: openObject({}, { variables: styleVariables, css: openObject({}, { fonts: text }) }),
    displayMode: displayModeSchema,
    availableDisplayModes: array(displayModeSchema),
    containerDimensions: containerDimensionsSchema,
    locale: text,
    timeZone: text,
    userAgent: text,
    platform: oneOf('web', 'desktop', 'mobile'),
    deviceCapabilities: openObject({}, { touch: boolean, hover: boolean }),
    safeAreaInsets: openObject({
      top: finiteNumber,
      right: finiteNumber,
      bottom: finiteNumber,
      left: finiteNumber,
    }),
  },
);
export type HostContext = Infer<typeof hostContextSchema>;
