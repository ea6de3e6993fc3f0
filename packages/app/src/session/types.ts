/*
 * The values of the protocol, as an app sees them. Written down here and not taken from another package, so that an
 * app installs nothing else; a test holds them equal to what our host sends and takes.
 */

/** How an app is shown. */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** The colours of the host. */
export type Theme = 'light' | 'dark';

/** Any JSON object. */
export type JsonObject = Record<string, unknown>;

/** A picture that stands for a program, tool or resource. */
interface Icon {
  src: string;
  mimeType?: string | undefined;
  sizes?: string[] | undefined;
  theme?: Theme | undefined;
}

/** Names the program at one end. */
export interface Implementation {
  name: string;
  version: string;
  title?: string | undefined;
  description?: string | undefined;
  websiteUrl?: string | undefined;
  icons?: Icon[] | undefined;
}

interface Shared {
  annotations?:
    | {
        audience?: ('user' | 'assistant')[] | undefined;
        priority?: number | undefined;
        lastModified?: string | undefined;
      }
    | undefined;
  _meta?: JsonObject | undefined;
}

/** Text. */
interface TextContent extends Shared {
  type: 'text';
  text: string;
}

/** A picture, base64. */
interface ImageContent extends Shared {
  type: 'image';
  data: string;
  mimeType: string;
}

/** Sound, base64. */
interface AudioContent extends Shared {
  type: 'audio';
  data: string;
  mimeType: string;
}

/** Body of a resource: text, or base64. */
export type ResourceContents = {
  uri: string;
  mimeType?: string | undefined;
  _meta?: JsonObject | undefined;
} & ({ text: string } | { blob: string });

/** A resource carried inside a message. */
export interface EmbeddedResource extends Shared {
  type: 'resource';
  resource: ResourceContents;
}

/** A resource as it is listed. */
export interface ResourceListing extends Shared {
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  size?: number | undefined;
  icons?: Icon[] | undefined;
}

/** A pointer to a resource. */
export interface ResourceLink extends ResourceListing {
  type: 'resource_link';
}

/** One piece of content. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** What a tool returned. */
export interface CallToolResult {
  content: ContentBlock[];
  /** An object, where it is there. */
  structuredContent?: unknown;
  isError?: boolean | undefined;
  _meta?: JsonObject | undefined;
}

/** A JSON Schema of an object. */
export interface JsonObjectSchema {
  type: 'object';
  properties?: JsonObject | undefined;
  required?: string[] | undefined;
}

/** What a tool says about itself. */
export interface ToolAnnotations {
  title?: string | undefined;
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}

/** A tool as it is listed. */
export interface Tool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: JsonObjectSchema;
  outputSchema?: JsonObject | undefined;
  annotations?: ToolAnnotations | undefined;
  icons?: Icon[] | undefined;
  execution?: { taskSupport?: 'required' | 'optional' | 'forbidden' | undefined } | undefined;
  _meta?: JsonObject | undefined;
}

type Flag = object | undefined;

interface Modalities {
  text?: Flag;
  image?: Flag;
  audio?: Flag;
  resource?: Flag;
  resourceLink?: Flag;
  structuredContent?: Flag;
}

/** What a host can do. */
export interface HostCapabilities {
  experimental?: Record<string, object> | undefined;
  openLinks?: Flag;
  downloadFile?: Flag;
  serverTools?: { listChanged?: boolean | undefined } | undefined;
  serverResources?: { listChanged?: boolean | undefined } | undefined;
  logging?: Flag;
  sandbox?:
    | {
        permissions?:
          { camera?: Flag; microphone?: Flag; geolocation?: Flag; clipboardWrite?: Flag } | undefined;
        csp?:
          | {
              connectDomains?: string[] | undefined;
              resourceDomains?: string[] | undefined;
              frameDomains?: string[] | undefined;
              baseUriDomains?: string[] | undefined;
            }
          | undefined;
      }
    | undefined;
  updateModelContext?: Modalities | undefined;
  message?: Modalities | undefined;
  sampling?: { tools?: Flag } | undefined;
}

/** What an app can do. */
export interface AppCapabilities {
  experimental?: Record<string, object> | undefined;
  tools?: { listChanged?: boolean | undefined } | undefined;
  availableDisplayModes?: DisplayMode[] | undefined;
}

/** What the host tells of its surroundings. */
export interface HostContext {
  toolInfo?: { id?: string | number | undefined; tool: Tool } | undefined;
  theme?: Theme | undefined;
  styles?:
    | {
        variables?: Record<string, string | undefined> | undefined;
        css?: { fonts?: string | undefined } | undefined;
      }
    | undefined;
  displayMode?: DisplayMode | undefined;
  availableDisplayModes?: DisplayMode[] | undefined;
  containerDimensions?:
    | {
        width?: number | undefined;
        height?: number | undefined;
        maxWidth?: number | undefined;
        maxHeight?: number | undefined;
      }
    | undefined;
  locale?: string | undefined;
  timeZone?: string | undefined;
  userAgent?: string | undefined;
  platform?: 'web' | 'desktop' | 'mobile' | undefined;
  deviceCapabilities?: { touch?: boolean | undefined; hover?: boolean | undefined } | undefined;
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number } | undefined;
}

/** The core logging levels. */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** A request for a model's answer. */
export interface CreateMessageParams {
  messages: { role: 'user' | 'assistant'; content: JsonObject | JsonObject[] }[];
  maxTokens: number;
  systemPrompt?: string | undefined;
  /** Only where the host's capability `sampling.tools` is there. */
  tools?: Tool[] | undefined;
  [more: string]: unknown;
}

/** The model's answer. */
export interface CreateMessageResult {
  model: string;
  role: 'user' | 'assistant';
  content: JsonObject | JsonObject[];
  stopReason?: string | undefined;
}

/** Done, or a "no" of the person where the host says it this way. */
export interface Acknowledged {
  isError?: boolean | undefined;
}

/** The events of an app, and the parameters of each. */
export interface AppEvents {
  /** The handshake is done: context and capabilities of the host are known. */
  connected: object;
  toolinput: { arguments?: JsonObject | undefined };
  toolinputpartial: { arguments?: JsonObject | undefined };
  toolresult: CallToolResult;
  toolcancelled: { reason?: string | undefined };
  hostcontextchanged: Partial<HostContext>;
  toollistchanged: object;
  resourcelistchanged: object;
}
