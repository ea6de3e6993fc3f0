'use client';

import type { McpAppItem } from '@casement/chat';
import { toRequestedMode } from '@casement/chat';
import { toPrintable } from '@casement/protocol/basics';
import { forwardRef } from 'react';
import { useWords } from '../host/use-words.js';

/** The props of `<McpAppPreviewCard>`. */
export interface McpAppPreviewCardProps {
  readonly item: McpAppItem;
  /** The panel or workspace shows its app now (S5-43). */
  readonly isViewing: boolean;
  /** A line of its own in place of the one that says who the app is from. */
  readonly text?: string | undefined;
  onOpen(): void;
  onClose(): void;
}

/** The tile of an app that is not in its message: a click opens it, and while it is open the tile says so (S5-30). */
export const McpAppPreviewCard = forwardRef<HTMLButtonElement, McpAppPreviewCardProps>(
  function McpAppPreviewCard({ item, isViewing, text, onOpen, onClose }, ref) {
    const words = useWords();
    // Both may be a server's words.
    const title = toPrintable(item.title, 120);
    const server = item.server === undefined ? undefined : toPrintable(item.server, 120);
    const action = isViewing ? words.closeApp : words.openApp;
    return (
      <div className="casement-tile" data-viewing={isViewing}>
        <span className="casement-tile-mark" data-mode={toRequestedMode(item)} aria-hidden="true" />
        <div className="casement-tile-text">
          <strong>{title}</strong>
          <span>{text ?? words.appFrom(server)}</span>
        </div>
        {isViewing && <span className="casement-tile-viewing">{words.viewing}</span>}
        <button
          ref={ref}
          type="button"
          className="casement-button"
          aria-label={`${action} ${title}`}
          onClick={isViewing ? onClose : onOpen}
        >
          {action}
        </button>
      </div>
    );
  },
);
