import type { ContentBlock } from '@casement/protocol';
import { isToolVisibleTo } from '@casement/protocol/tools';
import type { ConversationState, DeliveredContext, ToolSource } from '@casement/chat';
import type { ListedServer } from '../../servers/server-list.js';

/** Whose tool it is, in words: a server's, or an app's with what the app calls itself (HOST-096). */
export const toSourceText = (source: ToolSource): string => {
  if (source.kind === 'server') return source.server === '' ? 'nobody' : `server ${source.server}`;
  const app = source.app ? `${source.app.name} ${source.app.version}`.trim() : 'without a name';
  return `app ${app}, of server ${source.server}`;
};

/** A name that more than one tool has. */
export type ToolClash = ConversationState['clashes'][number];

/** The clash of names that made an offered tool take another name. */
export const findClash = (name: string, clashes: readonly ToolClash[]): ToolClash | undefined =>
  clashes.find(({ offered }) => offered.some((one) => one.name === name));

/** The context that an app gave the model, and when the model reads it. */
export interface ContextRow {
  readonly app: DeliveredContext['app'];
  readonly context: DeliveredContext['context'];
  /** It goes with the user's next message, instead of what the model was told before. */
  readonly isPending: boolean;
}

/** For each app its newest context: the one that waits for the next message, or else the one the model has. */
export const toContextRows = ({
  messages,
  pendingContext,
}: Pick<ConversationState, 'messages' | 'pendingContext'>): readonly ContextRow[] => {
  const rows = new Map<string, ContextRow>();
  for (const { context = [] } of messages)
    for (const { app, context: given } of context)
      rows.set(app.id, { app, context: given, isPending: false });
  for (const { app, context } of pendingContext) rows.set(app.id, { app, context, isPending: true });
  // An app took its context back, and the model was told so: there is nothing to show.
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
