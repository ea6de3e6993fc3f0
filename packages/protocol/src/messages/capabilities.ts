import * as v from 'valibot';
import { iconSchema } from './content-schemas.js';
import { displayModes } from './display-modes.js';
import type { DisplayMode } from './host-context.js';
import { experimental, list, openObject, optional } from './open-object.js';

const flag = optional(openObject({}));
const listChanged = optional(openObject({ listChanged: optional(v.boolean()) }));
const modalities = optional(
  openObject({
    text: flag,
    image: flag,
    audio: flag,
    resource: flag,
    resourceLink: flag,
    structuredContent: flag,
  }),
);
const domains = optional(v.array(v.string()));

/** Names the program at one end. */
export const implementationSchema = openObject({
  name: v.string(),
  version: v.string(),
  title: optional(v.string()),
  description: optional(v.string()),
  websiteUrl: optional(v.string()),
  icons: optional(list(iconSchema)),
});
export type Implementation = v.InferOutput<typeof implementationSchema>;

/** What the host really granted to this app. */
const sandboxCapabilitySchema = openObject({
  permissions: optional(
    openObject({ camera: flag, microphone: flag, geolocation: flag, clipboardWrite: flag }),
  ),
  csp: optional(
    openObject({
      connectDomains: domains,
      resourceDomains: domains,
      frameDomains: domains,
      baseUriDomains: domains,
    }),
  ),
});

/** What a host can do; every value is an object, as a boolean makes official apps refuse to connect. */
export const hostCapabilitiesSchema = openObject({
  experimental: optional(experimental),
  openLinks: flag,
  downloadFile: flag,
  serverTools: listChanged,
  serverResources: listChanged,
  logging: flag,
  sandbox: optional(sandboxCapabilitySchema),
  updateModelContext: modalities,
  message: modalities,
  sampling: optional(openObject({ tools: flag })),
});
export type HostCapabilities = v.InferOutput<typeof hostCapabilitiesSchema>;

const knownModes = (modes: string[]): DisplayMode[] => displayModes.filter((mode) => modes.includes(mode));

/** What an app can do; display modes we do not know are left out rather than refused. */
export const appCapabilitiesSchema = openObject({
  experimental: optional(experimental),
  tools: listChanged,
  availableDisplayModes: optional(v.pipe(list(v.string()), v.transform(knownModes))),
});
export type AppCapabilities = v.InferOutput<typeof appCapabilitiesSchema>;
