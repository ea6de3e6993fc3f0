import { isRecord } from '@casement/protocol/start';
import { toOutputTemplate, toToolMeta } from './app-metadata.js';
import { OPENAI_MIME_TYPE, RESOURCE_URI_META_KEY } from './app-mime.js';
import { AppServerError } from './app-server-error.js';
import { toFixedTemplate, type AppTemplate } from './app-template.js';
import type { AppResourceUi, AppToolUi } from './app-ui.js';
import { parseAppUri, toAppUri } from './app-uri.js';
import { checkKeys, checkLabels, checkResourceUi, checkToolUi } from './check-app-ui.js';
import type {
  PlainServer,
  ReadCallback,
  RegisteredToolOf,
  ResourceServer,
  ToolCallback,
  ToolServer,
  ToolSettingsOf,
} from './official-server.js';
import { registerAppResource } from './register-app-resource.js';

type Fields = Record<string, unknown>;
type AppServer = ToolServer & ResourceServer;

/** A tool and its app; `_meta.ui` is the same as it goes over the wire, as the official helper takes it. */
export type AppToolRegistration<S extends AppServer, Input> = ToolSettingsOf<S> & {
  inputSchema?: Input;
  outputSchema?: unknown;
  ui?: AppToolUi<AppTemplate<ReadCallback<S>>>;
  _meta?: Fields;
};

const resourceKeys = ['csp', 'permissions', 'domain', 'prefersBorder'] as const;
const uiKeys = [
  'template',
  'resourceUri',
  'uriForm',
  'widgetCapabilities',
  'visibility',
  'title',
  'openai',
  ...resourceKeys,
];

/** Registers a tool with its app: the tool's link in every spelling, and the resource when a template is given. */
export const registerAppTool = <S extends AppServer, Input = undefined>(
  server: S,
  name: string,
  config: AppToolRegistration<S, Input>,
  callback: ToolCallback<S, Input>,
): RegisteredToolOf<S> => {
  if (typeof name !== 'string' || name === '' || /\p{Surrogate}/u.test(name)) {
    throw new AppServerError('tool-name', 'The tool has no name.', 'Give it one, like "show_weather".');
  }
  const { ui, _meta, ...settings }: Fields = config;
  const wire = isRecord(_meta) ? _meta : {};
  checkLabels(wire);
  // By shape every official server takes this; its own types were checked through S.
  const plain = server as unknown as PlainServer;
  const run = callback as unknown as (...args: unknown[]) => unknown;
  const register = (meta: Fields): RegisteredToolOf<S> =>
    plain.registerTool(name, { ...settings, _meta: meta }, run) as RegisteredToolOf<S>;
  if (ui === undefined) return register(toWireMeta(wire, name));

  const checked = checkKeys(ui, 'ui', uiKeys);
  if (wire['ui'] !== undefined || wire[RESOURCE_URI_META_KEY] !== undefined) {
    throw new AppServerError(
      'ui-conflict',
      `The tool ${name} has both ui and _meta.ui.`,
      'Keep one of them.',
    );
  }
  checkToolUi(checked, 'ui');
  checkResourceUi(checked, 'ui');
  // Just checked, field by field.
  const known = checked as AppToolUi<AppTemplate<ReadCallback<S>>>;
  const uri = toLinkedUri(known, name);
  const meta = { ...wire, ...toToolMeta(known, uri) };
  if (known.template === undefined || uri === undefined) return register(meta);
  const { csp, permissions, domain, prefersBorder, openai, template } = known;
  const resourceUi = Object.fromEntries(
    Object.entries({ csp, permissions, domain, prefersBorder, openai }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as AppResourceUi; // the five fields, those that were given
  const title = known.title ?? settings['title'];
  const widgetUri = toOutputTemplate(known, uri) ?? uri;
  const documents = [
    { uri, more: {} },
    ...(widgetUri === uri ? [] : [{ uri: widgetUri, more: { mimeType: OPENAI_MIME_TYPE } }]),
  ];
  const undo: (() => void)[] = [];
  try {
    for (const { uri: address, more } of documents) {
      const resource = registerAppResource(
        server,
        typeof title === 'string' ? title : name,
        address,
        { ...(title !== undefined && { title }), ...more, ui: resourceUi } as Parameters<
          typeof registerAppResource<S>
        >[3], // as above
        template,
      );
      // Both servers' handles have it.
      undo.push(() => (resource as { remove(): void }).remove());
    }
    return register(meta);
  } catch (error) {
    // A tool the server refuses leaves no app behind.
    for (const remove of undo) remove();
    throw error;
  }
};

const toLinkedUri = (ui: AppToolUi<unknown>, name: string): string | undefined => {
  if (ui.template === undefined) {
    const misplaced = resourceKeys.find((key) => ui[key] !== undefined);
    if (misplaced !== undefined) {
      throw new AppServerError(
        'csp-on-tool',
        `ui.${misplaced} of the tool ${name} has no resource to stand on.`,
        'Give ui.template too, or move it to registerAppResource.',
      );
    }
    if (ui.resourceUri === undefined && ui.visibility === undefined) {
      throw new AppServerError(
        'ui-missing',
        `The ui setting of the tool ${name} names no app.`,
        'Give ui.template, or ui.resourceUri of an app registered with registerAppResource.',
      );
    }
    return ui.resourceUri === undefined ? undefined : parseAppUri(ui.resourceUri);
  }
  if (ui.uriForm !== undefined && !['widget', 'tool'].includes(ui.uriForm)) {
    throw new AppServerError(
      'resource-uri',
      `ui.uriForm of the tool ${name} is no known form.`,
      'Write "widget" or "tool", or give resourceUri.',
    );
  }
  const fixed = toFixedTemplate(ui.template);
  return ui.resourceUri === undefined ? toAppUri(name, ui.uriForm, fixed?.name) : parseAppUri(ui.resourceUri);
};

/** The official form: what one of the two keys says is written under both (SERVER-009). */
const toWireMeta = (meta: Fields, name: string): Fields => {
  const ui = meta['ui'];
  const flat = meta[RESOURCE_URI_META_KEY];
  if (!isRecord(ui) && flat === undefined) {
    throw new AppServerError(
      'ui-missing',
      `The tool ${name} has no app.`,
      'Give ui: { template } or _meta: { ui: { resourceUri } }; a tool without an app is the server’s own registerTool.',
    );
  }
  const nested = isRecord(ui) ? ui : {};
  checkToolUi(nested, '_meta.ui');
  const misplaced = resourceKeys.find((key) => nested[key] !== undefined);
  if (misplaced !== undefined) {
    throw new AppServerError(
      'csp-on-tool',
      `_meta.ui.${misplaced} of the tool ${name} is ignored by every host.`,
      'Move it to _meta.ui of the resource.',
    );
  }
  const linked = nested['resourceUri'] ?? flat;
  if (linked === undefined) return meta;
  const resourceUri = parseAppUri(linked);
  if (flat !== undefined && flat !== resourceUri) {
    throw new AppServerError(
      'ui-conflict',
      `The tool ${name} names two apps: ${resourceUri} and ${String(flat)}.`,
      `Leave ${RESOURCE_URI_META_KEY} out; it is written for you.`,
    );
  }
  return { ...meta, ui: { ...nested, resourceUri }, [RESOURCE_URI_META_KEY]: resourceUri };
};
