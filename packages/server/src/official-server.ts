/*
 * The official servers, 1.x and 2.x, by their shape alone: nothing is imported from either, so that one package
 * serves both and their types are inferred from the server that is passed.
 */

type Method = (...args: never[]) => unknown;

/** A server that tools can be registered on. */
export interface ToolServer {
  registerTool: Method;
}

/** A server that resources can be registered on. */
export interface ResourceServer {
  registerResource: Method;
}

/** The first of two overloads: `registerResource` with a fixed URI. */
type First<F> = F extends { (...args: infer A): infer R; (...args: infer _B): unknown }
  ? { args: A; result: R }
  : never;

type At<List, Index extends number> = List extends readonly unknown[] ? List[Index] : never;
type LastOf<List> = List extends readonly [...unknown[], infer Last] ? Last : never;
type CallbackParameters<F> = F extends (...args: infer A) => unknown ? A : never;
type CallbackResult<F> = F extends (...args: never[]) => infer R ? R : never;

/**
 * The function behind a registered tool. `registerTool` itself is generic, which hides its parameters from inference;
 * the handle it returns names the same types. A 1.x handler may also be an object, for tasks.
 */
type ToolCallbackOf<S extends ToolServer> =
  RegisteredToolOf<S> extends { handler: infer Handler } ? Extract<Handler, Method> : never;
type ReadCallbackOf<S extends ResourceServer> = At<First<S['registerResource']>['args'], 3>;

type ToolSetting = 'title' | 'description' | 'annotations' | 'icons' | 'scopeChallenge';

/** The other settings of a tool that this server knows. */
export type ToolSettingsOf<S extends ToolServer> = Partial<
  Pick<RegisteredToolOf<S>, Extract<keyof RegisteredToolOf<S>, ToolSetting>>
>;

/** The other settings of a resource: title, description, icons, cache hints. */
export type ResourceSettingsOf<S extends ResourceServer> = Omit<
  At<First<S['registerResource']>['args'], 2>,
  '_meta'
>;

/** The handle of a registered tool: enable, disable, update, remove. */
export type RegisteredToolOf<S extends ToolServer> = ReturnType<S['registerTool']>;

/** The handle of a registered resource. */
export type RegisteredResourceOf<S extends ResourceServer> = First<S['registerResource']>['result'];

/** The values a schema lets through: a Standard Schema, or the raw shape that 1.x servers take. */
type SchemaOutput<T> = T extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : T extends object
    ? ShapeOutput<T>
    : never;
type ShapeOutput<T> = {
  [K in keyof T as undefined extends SchemaOutput<T[K]> ? never : K]: SchemaOutput<T[K]>;
} & {
  [K in keyof T as undefined extends SchemaOutput<T[K]> ? K : never]?: SchemaOutput<T[K]>;
};

type ToolContext<S extends ToolServer> = LastOf<CallbackParameters<ToolCallbackOf<S>>>;
type ToolResult<S extends ToolServer> = CallbackResult<ToolCallbackOf<S>>;

/** The function behind a tool: with arguments where there is an input schema. */
export type ToolCallback<S extends ToolServer, Input> = [Input] extends [undefined]
  ? (context: ToolContext<S>) => ToolResult<S>
  : (args: SchemaOutput<Input>, context: ToolContext<S>) => ToolResult<S>;

/** The function behind a resource: returns the HTML, or the whole result as the server wants it. */
export type ReadCallback<S extends ResourceServer> = (
  uri: URL,
  context: LastOf<CallbackParameters<ReadCallbackOf<S>>>,
) => string | CallbackResult<ReadCallbackOf<S>> | Promise<string>;

type Fields = Record<string, unknown>;

/** The calls as they are made: every server takes these, whatever its types say. */
export interface PlainServer {
  registerTool(name: string, config: Fields, callback: (...args: unknown[]) => unknown): unknown;
  registerResource(
    name: string,
    uri: string,
    config: Fields,
    read: (uri: URL, context: unknown) => Promise<unknown>,
  ): unknown;
}
