// What an app can ask of its host and tell it: the names and shapes on the wire, and nothing to remember between two of
// them. Who may ask, when, and how the answer finds its way is the business of the class that extends this one.
import { AppError } from './session/errors.js';
import type {
  Acknowledged,
  CallToolResult,
  ContentBlock,
  CreateMessageParams,
  CreateMessageResult,
  EmbeddedResource,
  JsonObject,
  LogLevel,
  ResourceContents,
  ResourceLink,
  ResourceListing,
} from './session/types.js';
import type { Params, RequestOptions } from './session/wire-types.js';

/** Every question and message of the protocol as a method, over two that send. */
export abstract class HostRequests {
  /** Any request of the protocol by its name. */
  abstract request(method: string, params?: Params, options?: RequestOptions): Promise<Params>;

  /** Any notification of the protocol by its name. */
  abstract notify(method: string, params?: Params): Promise<void>;

  /** Calls a tool of the app's own server. */
  callServerTool(
    params: { name: string; arguments?: JsonObject; _meta?: JsonObject },
    options?: RequestOptions,
  ): Promise<CallToolResult> {
    return this.#askList('content', 'tools/call', params, options);
  }

  readServerResource(
    params: { uri: string },
    options?: RequestOptions,
  ): Promise<{ contents: ResourceContents[] }> {
    return this.#askList('contents', 'resources/read', params, options);
  }

  /** Short for `readServerResource`. */
  readResource(uri: string, options?: RequestOptions): Promise<{ contents: ResourceContents[] }> {
    return this.readServerResource({ uri }, options);
  }

  listServerResources(
    params: { cursor?: string } = {},
    options?: RequestOptions,
  ): Promise<{ resources: ResourceListing[]; nextCursor?: string }> {
    return this.#askList('resources', 'resources/list', params, options);
  }

  /** Short for `listServerResources`. */
  listResources(options?: RequestOptions): Promise<{ resources: ResourceListing[]; nextCursor?: string }> {
    return this.listServerResources({}, options);
  }

  /** Says something in the conversation as the person; the model answers it. */
  sendMessage(
    params: { role?: 'user'; content: ContentBlock[] },
    options?: RequestOptions,
  ): Promise<Acknowledged> {
    return this.ask('ui/message', { ...params, role: 'user' }, options);
  }

  /** Tells the model for its next turn; replaces what was told before. */
  updateModelContext(
    params: { content?: ContentBlock[]; structuredContent?: JsonObject },
    options?: RequestOptions,
  ): Promise<object> {
    return this.ask('ui/update-model-context', params, options);
  }

  openLink(params: { url: string }, options?: RequestOptions): Promise<Acknowledged> {
    return this.ask('ui/open-link', params, options);
  }

  downloadFile(
    params: { contents: (EmbeddedResource | ResourceLink)[] },
    options?: RequestOptions,
  ): Promise<Acknowledged> {
    return this.ask('ui/download-file', params, options);
  }

  /** Asks the host's model; only where the host offers it. */
  createSamplingMessage(params: CreateMessageParams, options?: RequestOptions): Promise<CreateMessageResult> {
    return this.ask('sampling/createMessage', params, options);
  }

  sendLog(params: { level: LogLevel; data: unknown; logger?: string }): Promise<void> {
    return this.notify('notifications/message', params);
  }

  /** Short for `sendLog`. */
  log(level: LogLevel, data: unknown): Promise<void> {
    return this.sendLog({ level, data });
  }

  sendSizeChanged(params: { width?: number; height?: number }): Promise<void> {
    return this.notify('ui/notifications/size-changed', params);
  }

  /** Asks to be closed; the host then tears the app down as usual, or does not. */
  requestTeardown(): Promise<void> {
    return this.notify('ui/notifications/request-teardown');
  }

  protected async ask<T>(method: string, params: object, options?: RequestOptions): Promise<T> {
    // An object is certain; its members are the host's word, as the types of every protocol client are.
    return (await this.request(method, { ...params }, options)) as T;
  }

  /** An answer whose list an app will walk through: there, and a list. */
  async #askList<T>(key: string, method: string, params: object, options?: RequestOptions): Promise<T> {
    const answer = { [key]: [], ...(await this.ask<Params>(method, params, options)) };
    if (!Array.isArray(answer[key]))
      throw new AppError('malformed', `The answer to ${method} has no ${key}.`);
    // As in ask.
    return answer as T;
  }
}
