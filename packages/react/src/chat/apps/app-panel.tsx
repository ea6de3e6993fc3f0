import { useRef } from 'react';
import { useShell } from '../chat-host.js';
import { toPanelItem } from '../core/shell-view.js';
import { usePlace } from './use-place.js';

/**
 * Where an app in fullscreen is laid over the chat (S5-38). An app of the workspace that has no space beside the
 * thread takes the place too, and leaves the composer free (S5-27).
 */
export const AppPanel = () => {
  const item = useShell(toPanelItem);
  const isWorkspace = useShell(({ mcpAppPanelState }) => !mcpAppPanelState.isOpen);
  const place = useRef<HTMLDivElement>(null);
  const mode = isWorkspace ? 'pip' : 'fullscreen';
  usePlace(place, item && mode);
  return (
    <div
      ref={place}
      className="casement-panel"
      data-panel={item ? mode : 'closed'}
      hidden={!item}
      aria-hidden="true"
    />
  );
};
