import { iconSchema } from './content-schemas.js';
import { displayModes } from './display-modes.js';
import type { DisplayMode } from './host-context.js';
import { array, boolean, experimental, list, openObject, text, to, type Infer } from './schema.js';

const flag = openObject({});
const listChanged = openObject({}, { listChanged: boolean });
const modalities = openObject(
  {},
  {
    text: flag,
    image: flag,
    audio: flag,
    resource: flag,
    resourceLink: flag,
    structuredContent: flag,
  },
);
const domains = array(text);

/** Names the program at one end. */
export const implementationSchema = openObject(
  { name: text, version: text },
  { title: text, description: text, websiteUrl: text, icons: list(iconSchema) },
);
export type Implementation = Infer<typeof implementationSchema>;

/** What the host really granted to this app. */
const sandboxCapabilitySchema = openObject(
  {},
  {
    permissions: openObject({}, { camera: flag, microphone: flag, geolocation: flag, clipboardWrite: flag }),
    csp: openObject(
      {},
      {
        connectDomains: domains,
        resourceDomains: domains,
        frameDomains: domains,
        baseUriDomains: domains,
      },
    ),
  },
);

/** What a host can do; every value is an object, as a boolean makes official apps refuse to connect. */
export const hostCapabilitiesSchema = openObject(
  {},
  {
    experimental,
    openLinks: flag,
    downloadFile: flag,
    serverTools: listChanged,
    serverResources: listChanged,
    logging: flag,
    sandbox: sandboxCapabilitySchema,
    updateModelContext: modalities,
    message: modalities,
    sampling: openObject({}, { tools: flag }),
  },
);
export type HostCapabilities = Infer<typeof hostCapabilitiesSchema>;

const knownModes = (modes: string[]): DisplayMode[] => displayModes.filter((mode) => modes.includes(mode));

/** What an app can do; display modes we do not know are left out rather than refused. */
export const appCapabilitiesSchema = openObject(
  {},
  { experimental, tools: listChanged, availableDisplayModes: to(list(text), knownModes) },
);
export type AppCapabilities = Infer<typeof appCapabilitiesSchema>;
