import { isToolVisibleTo, type ContentBlock } from '@casement/protocol';
import type { ConversationState, DeliveredContext, ToolClash, ToolSource } from '@casement/react/chat';
import type { ListedServer } from '../../server-list.js';

/** Whose tool it is, in words: a server's, or an app's with what the app calls itself (HOST-096). */
export const toSourceText = (source: ToolSource): string => {
  if (source.kind === 'server') return source.server === '' ? 'nobody' : `server ${source.server}`;
  const app = source.app ? `${source.app.name} ${source.app.version}`.trim() : 'without a name';
  return `app ${app}, of server ${source.server}`;
};

/** The clash a tool on offer took another name for. */
export const findClash = (name: string, clashes: readonly ToolClash[]): ToolClash | undefined =>
  clashes.find(({ offered }) => offered.some((one) => one.name === name));

/** What an app gave the model to know, and when the model reads it. */
export interface ContextRow {
  readonly app: DeliveredContext['app'];
  readonly context: DeliveredContext['context'];
  /** It goes with the user's next message, instead of what the model was told before. */
  readonly isPending: boolean;
}

/** Per app the last word: the one on its way, or else the one that stands. */
export const toContextRows = ({
  messages,
  pendingContext,
}: Pick<ConversationState, 'messages' | 'pendingContext'>): readonly ContextRow[] => {
  const rows = new Map<string, ContextRow>();
  for (const { context = [] } of messages)
    for (const { app, context: given } of context)
      rows.set(app.id, { app, context: given, isPending: false });
  for (const { app, context } of pendingContext) rows.set(app.id, { app, context, isPending: true });
  // Taken back and told so: the model knows nothing of it any more.
  return [...rows.values()].filter(({ context, isPending }) => isPending || context !== undefined);
};

/** A tool a server has that is not for the model. */
export interface HiddenTool {
  readonly server: string;
  readonly name: string;
  readonly isForApps: boolean;
}

/** The tools the model does not get to see (HOST-021). */
export const toHiddenTools = (
  servers: readonly Pick<ListedServer, 'port' | 'tools'>[],
): readonly HiddenTool[] =>
  servers.flatMap(({ port, tools }) =>
    tools
      .filter((tool) => !isToolVisibleTo(tool, 'model'))
      .map((tool) => ({
        server: port.name,
        name: tool.name,
        isForApps: isToolVisibleTo(tool, 'app'),
      })),
  );

/** The words of a block, or undefined for one that is not words. */
export const readBlockText = (block: ContentBlock): string | undefined =>
  block.type === 'text' ? block.text : undefined;
