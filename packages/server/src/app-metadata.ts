import type { AppResourceUi, AppToolUi, OpenAiUi } from './app-ui.js';
import { RESOURCE_URI_META_KEY } from './app-mime.js';
import { toOpenAiUri } from './app-uri.js';

type Meta = Record<string, unknown>;

/** Leaves out what was not said: an explicit undefined would look like a value to some hosts. */
const compact = (values: Meta): Meta =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

const toOpenAi = (openai: AppResourceUi['openai']): OpenAiUi | undefined =>
  openai === true ? {} : openai === false ? undefined : openai;

const toPermissions = (permissions: AppResourceUi['permissions']): unknown =>
  Array.isArray(permissions)
    ? Object.fromEntries(permissions.map((name: string) => [name, {}]))
    : permissions;

/** Where hosts of the OpenAI family find the app: at its own address, unless another document was asked for. */
export const toOutputTemplate = (ui: AppResourceUi, uri: string | undefined): string | undefined => {
  const { outputTemplate } = toOpenAi(ui.openai) ?? {};
  if (outputTemplate === true) return uri === undefined ? undefined : toOpenAiUri(uri);
  return outputTemplate ?? uri;
};

/** The metadata of a resource, for its listing and its content alike (SERVER-020); one for `window.openai` has that family's keys alone. */
export const toResourceMeta = (ui: AppResourceUi, isForOpenAi: boolean): Meta => {
  const { csp, permissions, domain, prefersBorder } = ui;
  const standard = compact({ csp, permissions: toPermissions(permissions), domain, prefersBorder });
  const openai = toOpenAi(ui.openai);
  return {
    ...(Object.keys(standard).length > 0 && !isForOpenAi && { ui: standard }),
    ...(openai &&
      compact({
        'openai/widgetCSP': toOpenAiCsp(csp, openai),
        // An origin there, a host name in `domain`: the one is no use as the other (SERVER-011).
        'openai/widgetDomain': openai.domain,
        'openai/widgetPrefersBorder': prefersBorder,
        'openai/widgetDescription': openai.description,
      })),
  };
};

const toOpenAiCsp = (csp: AppResourceUi['csp'], openai: OpenAiUi): Meta | undefined => {
  if (!csp && !openai.redirectDomains) return undefined;
  return compact({
    // Both lists are always there: ChatGPT asks for them to publish an app.
    connect_domains: csp?.connectDomains ?? [],
    resource_domains: csp?.resourceDomains ?? [],
    frame_domains: csp?.frameDomains,
    redirect_domains: openai.redirectDomains,
  });
};

/** The metadata of a tool in every spelling; policy is left to the resource (SERVER-021). */
export const toToolMeta = (ui: AppToolUi<unknown>, resourceUri: string | undefined): Meta => {
  const { visibility, widgetCapabilities } = ui;
  const openai = toOpenAi(ui.openai);
  return {
    ui: compact({ resourceUri, visibility }),
    ...(resourceUri !== undefined && { [RESOURCE_URI_META_KEY]: resourceUri }),
    ...(widgetCapabilities && { 'ui/capabilities': widgetCapabilities }),
    ...(openai &&
      compact({
        'openai/outputTemplate': toOutputTemplate(ui, resourceUri),
        // There silence means no, in MCP Apps it means yes.
        'openai/widgetAccessible': visibility?.includes('app') ?? true,
        'openai/visibility': visibility && !visibility.includes('model') ? 'private' : undefined,
        'openai/toolInvocation/invoking': openai.invoking,
        'openai/toolInvocation/invoked': openai.invoked,
      })),
  };
};
