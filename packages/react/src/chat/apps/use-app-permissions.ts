import type { McpAppItem } from '@casement/chat';
import { toAccessibleName } from '@casement/chat';
import type { AppSnapshot } from '@casement/host';
import type { AppPermission } from '@casement/protocol';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useChat } from '../host/chat-host.js';
import { useWords } from '../host/use-words.js';
import type { GrantAnswer } from './app-grants.js';
import { createAppGrants, toAsked, toGrants } from './app-grants.js';
import { toItemUri } from './item-port.js';

/** What an app may use, and what it asks for besides. */
export interface AppPermissions {
  readonly given: readonly AppPermission[];
  readonly asked: readonly AppPermission[];
  answer(answer: GrantAnswer): void;
  /** Takes from a session what its document declares. */
  follow(snapshot: AppSnapshot): void;
}

const none: readonly AppPermission[] = [];

// For all chats of the page: what is given to an app always is given to its origin, which they share.
const grants = createAppGrants();

// Ids of items may be the same in another conversation, which "once" is not for.
const conversations = new WeakMap<object, number>();
let count = 0;
const numberConversation = (conversation: object): number => {
  const number = conversations.get(conversation) ?? (count += 1);
  conversations.set(conversation, number);
  return number;
};

/** Lets the user decide what an app may use, unless the page has decided for all apps (`appOptions.permissions`). */
export const useAppPermissions = (item: McpAppItem): AppPermissions => {
  const { conversation, appOptions, toServer, announce } = useChat();
  const words = useWords();
  const [resource, setResource] = useState<AppSnapshot['resource']>();
  const decisions = useSyncExternalStore(grants.subscribe, grants.getSnapshot, grants.getSnapshot);
  const identity = item.server === undefined ? undefined : toServer(item.server)?.identity;
  const scope = {
    item: `${numberConversation(conversation)} ${item.mcp_app_id}`,
    app: JSON.stringify([identity, resource?.uri ?? toItemUri(item)]),
  };
  const asked = appOptions?.permissions ? none : toAsked(decisions, scope, resource?.permissions ?? none);
  const asking = asked.length === 0 ? '' : words.asksPermission(toAccessibleName(item), asked);
  useEffect(() => {
    if (asking !== '') announce(asking);
  }, [asking, announce]);
  return {
    given: appOptions?.permissions ?? toGrants(decisions, scope),
    asked,
    answer: (answer) => grants.decide(scope, asked, answer),
    follow: ({ resource: read }) => {
      // A frame that starts over has not read it yet, and is still of the same document.
      if (read) setResource(read);
    },
  };
};
