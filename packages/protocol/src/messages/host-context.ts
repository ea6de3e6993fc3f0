import * as v from 'valibot';
import { displayModes } from './display-modes.js';
import { isRecord } from '../is-record.js';
import { finiteNumber, idOrToken, openObject, optional } from './open-object.js';
import { styleVariableNames, type StyleVariableName } from './style-variables.js';
import { toolSchema } from './tool-schemas.js';

export const displayModeSchema = v.picklist(displayModes);
export type DisplayMode = v.InferOutput<typeof displayModeSchema>;

/** Only two: `system` must be resolved before it is sent. */
const themeSchema = v.picklist(['light', 'dark']);
export type Theme = v.InferOutput<typeof themeSchema>;

const pixels = optional(finiteNumber);

/** Per axis a fixed size, a maximum, or neither for unbounded. */
const containerDimensionsSchema = openObject({
  width: pixels,
  height: pixels,
  maxWidth: pixels,
  maxHeight: pixels,
});

const names: ReadonlySet<string> = new Set(styleVariableNames);
const styleVariables = v.custom<Partial<Record<StyleVariableName, string>>>(
  (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, css]) => names.has(name) && (css === undefined || typeof css === 'string'),
    ),
  'Expected only standard style variables, each a string',
);

/** What the host tells an app about its surroundings; as strict as the official app, which refuses to connect. */
export const hostContextSchema = openObject({
  toolInfo: optional(openObject({ id: optional(idOrToken), tool: toolSchema })),
  theme: optional(themeSchema),
  styles: optional(
    openObject({
      variables: optional(styleVariables),
      css: optional(openObject({ fonts: optional(v.string()) })),
    }),
  ),
  displayMode: optional(displayModeSchema),
  availableDisplayModes: optional(v.array(displayModeSchema)),
  containerDimensions: optional(containerDimensionsSchema),
  locale: optional(v.string()),
  timeZone: optional(v.string()),
  userAgent: optional(v.string()),
  platform: optional(v.picklist(['web', 'desktop', 'mobile'])),
  deviceCapabilities: optional(openObject({ touch: optional(v.boolean()), hover: optional(v.boolean()) })),
  safeAreaInsets: optional(
    openObject({ top: finiteNumber, right: finiteNumber, bottom: finiteNumber, left: finiteNumber }),
  ),
});
export type HostContext = v.InferOutput<typeof hostContextSchema>;
