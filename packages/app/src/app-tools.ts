import { toRefusal } from './session/errors.js';
import type { CallToolResult, JsonObject, JsonObjectSchema, Tool, ToolAnnotations } from './session/types.js';
import { isRecord, type RequestContext } from './session/session.js';
import type { Params } from './session/wire-types.js';

/** The part of a Standard Schema (zod, valibot, arktype …) that is used here. */
export interface StandardSchema<Output> {
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
    readonly jsonSchema?:
      | { input(options: { target: string }): JsonObject; output?(options: { target: string }): JsonObject }
      | undefined;
  };
}

/** A value, or what is wrong with it. */
type StandardOutcome<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { message: string }[] };

/** The description of a tool that an app offers to the model. */
export interface AppToolConfig<Args> {
  title?: string;
  description?: string;
  /** A JSON Schema, of which required members and simple types are checked, or a Standard Schema, checked in full. */
  inputSchema?: JsonObjectSchema | StandardSchema<Args>;
  /** The same for `structuredContent`: what does not fit it is not sent. */
  outputSchema?: JsonObject | StandardSchema<unknown>;
  annotations?: ToolAnnotations;
  _meta?: JsonObject;
}

/** Does the work of a tool. */
export type AppToolHandler<Args> = (
  args: Args,
  context: RequestContext,
) => CallToolResult | Promise<CallToolResult>;

/** A tool that was registered. */
export interface RegisteredAppTool {
  readonly enabled: boolean;
  enable(): void;
  /** Takes it off the list without forgetting it. */
  disable(): void;
  update(config: AppToolConfig<JsonObject>): void;
  remove(): void;
}

interface Entry {
  config: AppToolConfig<unknown>;
  readonly run: AppToolHandler<never>;
  enabled: boolean;
}

const isStandard = (schema: object): schema is StandardSchema<unknown> => '~standard' in schema;

const toJsonSchema = (
  schema: object = { type: 'object' },
  side: 'input' | 'output' = 'input',
): JsonObjectSchema =>
  // A schema library describes an object here, or every call would fail.
  (isStandard(schema)
    ? (schema['~standard'].jsonSchema?.[side]?.({ target: 'draft-2020-12' }) ?? { type: 'object' })
    : schema) as JsonObjectSchema;

const isOfType = (value: unknown, type: unknown): boolean => {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return !['string', 'number', 'boolean'].includes(String(type)) || typeof value === type;
};

/** Checks a value against a schema: neither wrong arguments (VIEW-023) nor wrong results (VIEW-028) go further. */
const check = async (
  schema: object | undefined,
  value: unknown,
  code: number,
  what: string,
): Promise<unknown> => {
  const invalid = (reason: string): never => {
    throw toRefusal(code, `Invalid ${what}: ${reason}`);
  };
  if (schema && isStandard(schema)) {
    const outcome = await schema['~standard'].validate(value);
    return outcome.issues ? invalid(outcome.issues.map(({ message }) => message).join('; ')) : outcome.value;
  }
  if (!isRecord(value)) return invalid('not an object');
  const { required = [], properties = {} } = toJsonSchema(schema);
  for (const name of required) if (!Object.hasOwn(value, name)) invalid(`${name} is missing`);
  for (const [name, rule] of Object.entries(properties)) {
    const { type }: Params = isRecord(rule) ? rule : {};
    if (Object.hasOwn(value, name) && !isOfType(value[name], type))
      invalid(`${name} is not of type ${String(type)}`);
  }
  return value;
};

/** Creates the list of tools an app offers; `onChange` is called whenever the list changes (VIEW-027). */
export const createAppTools = (onChange: () => void) => {
  const entries = new Map<string, Entry>();
  const remove = (name: string): boolean => {
    const isGone = entries.delete(name);
    if (isGone) onChange();
    return isGone;
  };
  return {
    get size() {
      return entries.size;
    },
    remove,
    register<Args>(name: string, config: AppToolConfig<Args>, run: AppToolHandler<Args>): RegisteredAppTool {
      const entry: Entry = { config, run, enabled: true };
      entries.set(name, entry);
      onChange();
      const set = (change: Partial<Entry>): void => {
        Object.assign(entry, change);
        onChange();
      };
      return {
        get enabled() {
          return entry.enabled;
        },
        enable: () => set({ enabled: true }),
        disable: () => set({ enabled: false }),
        update: (more) => set({ config: { ...entry.config, ...more } }),
        remove() {
          // Another may have taken the name since.
          if (entries.get(name) === entry) remove(name);
        },
      };
    },
    /** VIEW-025: with their schemas. */
    list: (): { tools: Tool[] } => ({
      tools: [...entries]
        .filter(([, { enabled }]) => enabled)
        .map(([name, { config }]) => {
          const { inputSchema, outputSchema, ...rest } = config;
          return {
            name,
            ...rest,
            inputSchema: toJsonSchema(inputSchema),
            ...(outputSchema && { outputSchema: { ...toJsonSchema(outputSchema, 'output') } }),
          };
        }),
    }),
    async call({ name, arguments: args = {} }: Params, context: RequestContext): Promise<CallToolResult> {
      const entry = entries.get(String(name));
      if (!entry?.enabled) throw toRefusal(-32602, `Unknown tool: ${String(name)}`);
      const { inputSchema, outputSchema } = entry.config;
      const checked = await check(inputSchema, args, -32602, 'arguments');
      let result: CallToolResult;
      try {
        // Checked against the schema the handler's type comes from. Who returns nothing is answered for all the same.
        result = Object.assign({ content: [] }, await entry.run(checked as never, context));
      } catch (error) {
        // VIEW-024: a failure is a result that says so.
        const text = error instanceof Error ? error.message : String(error);
        return { content: [{ type: 'text', text }], isError: true };
      }
      if (outputSchema && !result.isError)
        await check(outputSchema, result.structuredContent, -32603, 'structuredContent');
      return result;
    },
  };
};
