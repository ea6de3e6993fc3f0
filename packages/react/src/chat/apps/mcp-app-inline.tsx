'use client';

import type { McpAppItem, ToolPart } from '@casement/chat';
import { toAccessibleName, toDisplayMode } from '@casement/chat';
import type { AppSnapshot, MountedApp } from '@casement/host';
import { toAppProblem } from '@casement/host';
import type { AppPermission, DisplayMode } from '@casement/protocol';
import { useMemo, useRef, useState } from 'react';
import { McpApp } from '../../app/mcp-app.js';
import type { ChatAppOptions } from '../host/chat-host.js';
import { useChat, useShell } from '../host/chat-host.js';
import type { ChatShellWords, ChatWords } from '../host/chat-words.js';
import { useWords } from '../host/use-words.js';
import { AppError } from './app-error.js';
import { toAppHooks } from './app-hooks.js';
import { toCallOptions, toResultText } from './call-options.js';
import { toItemPort, toItemUri } from './item-port.js';
import { ServerLoss } from './server-loss.js';
import { getServerResources } from './server-resources.js';
import { useAppDialog } from './use-app-dialog.js';
import { useLiveApp } from './use-live-app.js';

/** The props of `<McpAppInline>`. */
export interface McpAppInlineProps {
  readonly item: McpAppItem;
  /** The call the app is shown for. */
  readonly call?: ToolPart | undefined;
  /** What the app may use if it declares it; other permissions are another frame. */
  readonly permissions?: readonly AppPermission[];
  onSnapshot?(snapshot: AppSnapshot): void;
  /** The user sent the app back to its message, by the host's own controls. */
  onReturned?(): void;
}

const displayModes: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip'];

/** The app of an item itself. Its frame stays where this is, in whatever mode the shell has it (S5-29). */
export const McpAppInline = (props: McpAppInlineProps) => {
  const { item, call, permissions, onSnapshot, onReturned } = props;
  const { conversation, shell, sandbox, toServer, appOptions = {}, words: given = {} } = useChat();
  const words = useWords();
  const { mcp_app_id: id, resource_html, resource_uri } = item;
  const mode = useShell((state) => toDisplayMode(state, id));
  const [app, setApp] = useState<MountedApp | null>(null);
  const [hasLoss, setLoss] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const server = item.server === undefined ? undefined : toServer(item.server);
  const port = useMemo(
    () => toItemPort(item, server, words.page),
    // The item is another object each time its message is drawn.
    [server, id, resource_html, resource_uri, words.page],
  );
  const follow = useLiveApp(item, app, port);
  const fallback = item.fallback_text?.trim() ? item.fallback_text : toResultText(call);
  const choose = (chosen: DisplayMode): boolean | undefined => {
    const shown = shell.show(item, chosen);
    if (chosen !== 'inline' || shown !== 'inline') return false;
    onReturned?.();
    // An app that does not know inline is closed by the host itself.
    const declared = app?.getSnapshot().appCapabilities?.availableDisplayModes;
    return declared && !declared.includes('inline') ? undefined : false;
  };
  const uri = toItemUri(item);
  const toRoot = (): HTMLElement => place.current?.closest('.casement-chat') ?? document.body;
  const options = useAppDialog(
    app,
    place,
    port && {
      chrome: 'full',
      ...appOptions,
      ...(permissions ? { permissions } : {}),
      words: toAppWords(given, words, appOptions.words),
      ...toAppHooks(appOptions, conversation, toRoot, { ...given.dialogs, ...appOptions.words?.dialogs }),
      ...toCallOptions(call, appOptions.hostContext),
      server: port,
      // A document that is in the item itself is nobody else's.
      ...(port === server ? { resources: getServerResources(port, appOptions.limits) } : {}),
      sandbox,
      ...(uri === undefined ? {} : { resourceUri: uri }),
      name: item.title,
      title: toAccessibleName(item),
      displayModes,
      displayMode: mode,
      onDisplayMode: ({ mode: wanted }) => shell.show(item, wanted),
      onModeChosen: choose,
    },
  );

  if (!options) {
    const message = item.server === undefined ? words.noServer : words.serverGone(item.server);
    return <AppError code="server-unknown" message={message} fallback={fallback} />;
  }
  const reload = (): void => {
    app?.reload();
    shell.show(item);
  };
  return (
    <div ref={place} className="casement-app-frame">
      <McpApp
        key={permissions?.join()}
        {...options}
        ref={setApp}
        onSnapshot={(snapshot) => {
          follow(snapshot);
          setLoss(snapshot.status === 'ready' && snapshot.failure?.code === 'server-lost');
          onSnapshot?.(snapshot);
        }}
        fallback={(failure) => (
          <AppError
            {...{ code: failure.code, fallback }}
            message={words.appProblem?.(failure, app?.getSnapshot()) ?? toAppProblem(failure, words.failures)}
            server={failure.code === 'server-lost' ? item.server : undefined}
            // There is nothing to lose; where it was shown is the user's to say.
            onServerBack={() => app?.reload()}
            onReload={reload}
          />
        )}
      />
      {hasLoss && item.server !== undefined && <ServerLoss server={item.server} onReload={reload} />}
    </div>
  );
};

/** In a chat the ways into the other modes are called by what they are there. */
const toAppWords = (
  { chrome, failures }: ChatShellWords,
  { expandApp, besideApp }: Pick<ChatWords, 'expandApp' | 'besideApp'>,
  own: ChatAppOptions['words'] = {},
): NonNullable<ChatAppOptions['words']> => ({
  ...chrome,
  fullscreen: expandApp,
  pip: besideApp,
  ...own,
  failures: { ...failures, ...chrome?.failures, ...own.failures },
});
