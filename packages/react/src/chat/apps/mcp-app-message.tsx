'use client';

import type { McpAppItem, ToolPart } from '@casement/chat';
import { toAccessibleName, toDisplayMode, toOpeningMode, toRequestedMode } from '@casement/chat';
import type { AppSnapshot } from '@casement/host';
import type { ComponentRef } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useChat, useShell } from '../host/chat-host.js';
import { useWords } from '../host/use-words.js';
import { McpAppInline } from './mcp-app-inline.js';
import { McpAppPreviewCard } from './mcp-app-preview-card.js';
import { PermissionQuestion } from './permission-question.js';
import { useAppPermissions } from './use-app-permissions.js';

/** The props of `<McpAppMessage>`. */
export interface McpAppMessageProps {
  readonly item: McpAppItem;
  /** The call the app is shown for; it is told the call's arguments and result (S5-48). */
  readonly call?: ToolPart | undefined;
}

/**
 * An app as a part of a message, wherever it is shown now (S5-28): in the message itself, or as a tile while it is
 * meant for the panel or the workspace. It is mounted when it is near what is read or opened, and may have to make
 * room for others when it is not; behind a tile it is out of sight but keeps its width, so that it is never told to
 * have none.
 */
export const McpAppMessage = ({ item, call }: McpAppMessageProps) => {
  const { shell } = useChat();
  const words = useWords();
  const { mcp_app_id: id } = item;
  const mode = useShell((state) => toDisplayMode(state, id));
  const asksForTile = useShell((state) => toOpeningMode(state, item) !== 'inline');
  const [status, setStatus] = useState<AppSnapshot['status']>();
  const [wasMounted, setMounted] = useState(false);
  const [isInBrowser, setInBrowser] = useState(false);
  const [run, setRun] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<ComponentRef<'button'>>(null);
  const isReturning = useRef(false);
  const permissions = useAppPermissions(item);

  // On its way out an app is out of sight: whoever opens it again need not wait for its goodbye.
  const isClosed = status === 'closed' || status === 'tearing-down';
  const isViewing = mode !== 'inline';
  const isMounted = !isClosed && (wasMounted || isViewing || (isInBrowser && !asksForTile));
  if (isMounted && !wasMounted) setMounted(true);
  const hasTile = asksForTile || isViewing || isClosed;
  const isOutOfSight = asksForTile && !isViewing && status !== 'failed';

  // A server draws the empty place, and so does the first look here: the host mounts apps in a page alone.
  useEffect(() => setInBrowser(true), []);
  // Under the panel the app's room is kept, so that the reader finds the thread where it was.
  useEffect(
    () =>
      shell.on('before-open', ({ messageItem }) => {
        if (messageItem.mcp_app_id === id) height.current = root.current?.offsetHeight ?? 0;
      }),
    [shell, id],
  );
  // As a property: versions of React differ about the attribute.
  useLayoutEffect(() => {
    if (place.current) place.current.inert = isOutOfSight;
  }, [isOutOfSight]);
  // Who sent the app back from its own head would be nowhere: the head is out of sight then.
  useEffect(() => {
    if (isViewing || !isReturning.current) return;
    isReturning.current = false;
    const focused = document.activeElement;
    const isLost = !focused || focused === document.body || place.current?.contains(focused);
    if (isLost && isOutOfSight) button.current?.focus({ preventScroll: true });
  });

  const open = (): void => {
    if (isClosed) {
      setStatus(undefined);
      setRun(run + 1);
      setMounted(true);
    }
    if (toRequestedMode(item) !== 'inline') shell.show(item);
  };
  const close = (): void => {
    shell.show(item, 'inline');
    // The tile of an inline app goes with this; what comes in its place has the focus.
    if (!asksForTile) place.current?.focus({ preventScroll: true });
  };
  return (
    <div
      ref={root}
      role="group"
      className="casement-app"
      style={mode === 'fullscreen' ? { minHeight: height.current } : undefined}
      aria-label={toAccessibleName(item)}
      data-mcp-app-id={id}
      data-shown={isViewing ? mode : isOutOfSight || isClosed ? 'tile' : 'inline'}
    >
      {hasTile && (
        <McpAppPreviewCard
          ref={button}
          item={item}
          isViewing={isViewing}
          text={isClosed ? words.appClosed : undefined}
          onOpen={open}
          onClose={close}
        />
      )}
      <div ref={place} className="casement-app-place" tabIndex={-1}>
        {isMounted && (
          <McpAppInline
            key={run}
            item={item}
            call={call}
            permissions={permissions.given}
            onSnapshot={(snapshot) => {
              setStatus(snapshot.status);
              permissions.follow(snapshot);
            }}
            onReturned={() => {
              isReturning.current = true;
            }}
          />
        )}
      </div>
      {isMounted && status === 'ready' && permissions.asked.length > 0 && (
        <PermissionQuestion title={item.title} server={item.server ?? words.page} permissions={permissions} />
      )}
    </div>
  );
};
