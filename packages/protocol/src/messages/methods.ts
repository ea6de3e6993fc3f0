import {
  acknowledgedSchema,
  createMessageParamsSchema,
  createMessageResultSchema,
  displayModeParamsSchema,
  downloadFileParamsSchema,
  initializeParamsSchema,
  initializeResultSchema,
  logParamsSchema,
  messageParamsSchema,
  sizeChangedParamsSchema,
  updateModelContextParamsSchema,
} from './app-messages.js';
import {
  listPromptsResultSchema,
  listResourcesResultSchema,
  listResourceTemplatesResultSchema,
  readResourceResultSchema,
} from './content-schemas.js';
import { modalParamsSchema, widgetStateParamsSchema } from './family-messages.js';
import { hostContextSchema } from './host-context.js';
import { anyRecord, idOrToken, number, openObject, text, type Infer, type Schema } from './schema.js';
import {
  sandboxAppHealthSchema,
  sandboxDroppedSchema,
  sandboxEvidenceSchema,
  sandboxLoaderReadySchema,
  sandboxProxyReadySchema,
  sandboxFrameLoadedSchema,
  sandboxPageLoadedSchema,
  sandboxResourceReadySchema,
  sandboxScriptErrorSchema,
  sandboxViolationSchema,
} from './sandbox-messages.js';
import {
  callToolParamsSchema,
  callToolResultSchema,
  listToolsResultSchema,
  taskSchema,
} from './tool-schemas.js';

/** Who may send a message. */
export type Sender = 'app' | 'host' | 'proxy';

/** Where a message is defined. */
export type Since = '2026-01-26' | 'draft' | 'core' | 'casement';

/** One row of the method table. */
export interface MethodRow {
  readonly method: string;
  readonly kind: 'request' | 'notification';
  readonly from: Sender;
  readonly since: Since;
  readonly params: Schema;
  readonly result?: Schema;
}

const request = <const M extends string, F extends Sender, P extends Schema, R extends Schema>(
  from: F,
  since: Since,
  method: M,
  params: P,
  result: R,
) => ({ method, kind: 'request', from, since, params, result }) as const;

const notification = <const M extends string, F extends Sender, P extends Schema>(
  from: F,
  since: Since,
  method: M,
  params: P,
) => ({ method, kind: 'notification', from, since, params }) as const;

const empty = openObject({});
const reason = openObject({}, { reason: text });
const toolArguments = openObject({}, { arguments: anyRecord });
const cursor = openObject({}, { cursor: text });
const uri = openObject({ uri: text });
const taskId = openObject({ taskId: text });
const cancelled = openObject({ requestId: idOrToken }, { reason: text });
const progress = openObject({ progressToken: idOrToken, progress: number }, { total: number, message: text });

const stable = '2026-01-26';

/** Every message there is: who sends it, what it carries, what it returns. A message both ends may send has two rows. */
export const methodTable = [
  request('app', stable, 'ui/initialize', initializeParamsSchema, initializeResultSchema),
  notification('app', stable, 'ui/notifications/initialized', empty),
  request('app', stable, 'ping', empty, empty),
  request('host', stable, 'ping', empty, empty),

  notification('host', stable, 'ui/notifications/tool-input', toolArguments),
  notification('host', stable, 'ui/notifications/tool-input-partial', toolArguments),
  notification('host', stable, 'ui/notifications/tool-result', callToolResultSchema),
  notification('host', stable, 'ui/notifications/tool-cancelled', reason),
  notification('host', stable, 'ui/notifications/host-context-changed', hostContextSchema),
  request('host', stable, 'ui/resource-teardown', reason, empty),

  request('app', stable, 'ui/open-link', openObject({ url: text }), acknowledgedSchema),
  request('app', stable, 'ui/message', messageParamsSchema, acknowledgedSchema),
  request('app', stable, 'ui/update-model-context', updateModelContextParamsSchema, empty),
  request('app', stable, 'ui/request-display-mode', displayModeParamsSchema, displayModeParamsSchema),
  request('app', 'draft', 'ui/download-file', downloadFileParamsSchema, acknowledgedSchema),
  request('app', stable, 'tools/call', callToolParamsSchema, callToolResultSchema),
  request('app', 'draft', 'tools/list', cursor, listToolsResultSchema),
  request('app', 'draft', 'tasks/get', taskId, taskSchema),
  request('app', 'draft', 'tasks/result', taskId, callToolResultSchema),
  request('app', 'draft', 'tasks/cancel', taskId, empty),
  request('app', stable, 'resources/read', uri, readResourceResultSchema),
  request('app', 'core', 'resources/list', cursor, listResourcesResultSchema),
  request('app', 'core', 'resources/templates/list', cursor, listResourceTemplatesResultSchema),
  request('app', 'core', 'resources/subscribe', uri, empty),
  request('app', 'core', 'resources/unsubscribe', uri, empty),
  request('app', 'core', 'prompts/list', cursor, listPromptsResultSchema),
  request('app', 'draft', 'sampling/createMessage', createMessageParamsSchema, createMessageResultSchema),
  request('app', 'casement', 'casement/widget-state', widgetStateParamsSchema, empty),
  request('app', 'casement', 'casement/modal', modalParamsSchema, empty),

  notification('app', stable, 'ui/notifications/size-changed', sizeChangedParamsSchema),
  notification('app', stable, 'notifications/message', logParamsSchema),
  notification('app', 'draft', 'ui/notifications/request-teardown', empty),
  notification('app', 'draft', 'notifications/tools/list_changed', empty),

  request('host', 'draft', 'tools/list', cursor, listToolsResultSchema),
  request('host', 'draft', 'tools/call', callToolParamsSchema, callToolResultSchema),
  request('host', 'draft', 'tasks/get', taskId, taskSchema),
  request('host', 'draft', 'tasks/result', taskId, callToolResultSchema),
  request('host', 'draft', 'tasks/cancel', taskId, empty),
  notification('host', 'draft', 'notifications/tools/list_changed', empty),
  notification('host', stable, 'notifications/resources/list_changed', empty),
  notification('host', 'core', 'notifications/resources/updated', uri),
  notification('host', 'core', 'notifications/prompts/list_changed', empty),

  notification('app', 'core', 'notifications/progress', progress),
  notification('host', 'core', 'notifications/progress', progress),
  notification('app', 'core', 'notifications/cancelled', cancelled),
  notification('host', 'core', 'notifications/cancelled', cancelled),

  notification('proxy', stable, 'ui/notifications/sandbox-proxy-ready', sandboxProxyReadySchema),
  notification('host', stable, 'ui/notifications/sandbox-resource-ready', sandboxResourceReadySchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-loader-ready', sandboxLoaderReadySchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-frame-loaded', sandboxFrameLoadedSchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-violation', sandboxViolationSchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-dropped', sandboxDroppedSchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-script-error', sandboxScriptErrorSchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-evidence', sandboxEvidenceSchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-app-health', sandboxAppHealthSchema),
  notification('proxy', 'casement', 'ui/notifications/sandbox-page-loaded', sandboxPageLoadedSchema),
] as const;

type Row = (typeof methodTable)[number];
type RowOf<M extends Row['method']> = Extract<Row, { method: M }>;

/** The name of any message. */
export type Method = Row['method'];

/** The name of a message that is answered. */
export type RequestMethod = Extract<Row, { kind: 'request' }>['method'];

/** The name of a message that is not answered. */
export type NotificationMethod = Extract<Row, { kind: 'notification' }>['method'];

/** What a message carries, once validated. */
export type ParamsOf<M extends Method> = Extract<Infer<RowOf<M>['params']>, object>;

/** What a request returns, once validated. */
export type ResultOf<M extends RequestMethod> = Infer<Extract<RowOf<M>, { result: Schema }>['result']>;

/** The row of a message as one sender may send it. */
export const findMethod = (from: readonly Sender[], method: string): MethodRow | undefined =>
  methodTable.find((row) => row.method === method && from.includes(row.from));
