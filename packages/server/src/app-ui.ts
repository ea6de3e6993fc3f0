import type { AppUriForm } from './app-uri.js';

/** The origins an app may reach beyond its own HTML; nothing by default. */
interface AppCsp {
  /** For fetch, XHR, WebSocket. */
  connectDomains?: readonly string[];
  /** For scripts, styles, images, fonts, media. */
  resourceDomains?: readonly string[];
  /** For frames inside the app. */
  frameDomains?: readonly string[];
  /** For `<base href>`. */
  baseUriDomains?: readonly string[];
}

/** The browser features an app may ask for. */
type AppPermissionName = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** The settings that only ChatGPT's own keys have. */
export interface OpenAiUi {
  /** Shown while the tool runs, and after: at most 64 characters. */
  invoking?: string;
  invoked?: string;
  /** Tells the model what the app shows. */
  description?: string;
  /** Origins that links may lead to without a question. */
  redirectDomains?: readonly string[];
  /** The app's own origin there, with its scheme: `https://app.example.com`. */
  domain?: string;
  /**
   * The app once more as `text/html+skybridge`, for hosts that take nothing else: at this address, or with `true` at
   * one made from the app's own.
   */
  outputTemplate?: true | string;
}

/** The metadata of an app's resource: what it may reach and how it wants to be shown. */
export interface AppResourceUi {
  csp?: AppCsp;
  permissions?: readonly AppPermissionName[] | Partial<Record<AppPermissionName, object>>;
  /** A stable origin, in the form the host's documentation asks for. */
  domain?: string;
  prefersBorder?: boolean;
  /** Write the `openai/*` keys too. */
  openai?: boolean | OpenAiUi;
}

/** The capabilities that a FrontMCP-style widget announces in `ui/capabilities`. */
interface WidgetCapabilities {
  toolListChanged?: boolean;
  supportsPartialInput?: boolean;
}

/** Who may call a tool: the model, apps of the same server, or both. */
type ToolAudience = 'model' | 'app';

/** A tool's `ui` setting: its app, and everything a host must know to show it. */
export interface AppToolUi<Template> extends AppResourceUi {
  /** The HTML: a string, a file, or a function of the request. Without it `resourceUri` names an app registered elsewhere. */
  template?: Template;
  resourceUri?: string;
  /** The form of the address where none is given. */
  uriForm?: AppUriForm;
  widgetCapabilities?: WidgetCapabilities;
  visibility?: readonly ToolAudience[];
  /** Title of the resource in listings; the tool's own by default. */
  title?: string;
}
