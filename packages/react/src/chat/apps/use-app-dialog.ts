import type { MountedApp } from '@casement/host';
import { CasementError } from '@casement/protocol/start';
import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { createDelivery } from '../../app/deliveries.js';
import type { McpAppOptions } from '../../app/live-options.js';
import { useWords } from '../host/use-words.js';

/** The options of an app that can also ask for a dialog; the app in it is told what the app itself is told. */
export const useAppDialog = (
  app: MountedApp | null,
  place: RefObject<HTMLElement | null>,
  options: McpAppOptions | undefined,
): McpAppOptions | undefined => {
  const { closeApp } = useWords();
  const latest = useRef(options);
  const deliver = useRef<(now: McpAppOptions) => void>(undefined);
  useEffect(() => {
    latest.current = options;
    if (options) deliver.current?.(toTold(options));
  });
  const onModal: McpAppOptions['onModal'] = async (request) => {
    const { openAppDialog } = await import('@casement/host/dialogs');
    const mounted = latest.current;
    if (!app || !place.current || !mounted) throw new CasementError('session-closed', 'The app is gone.');
    const dialog = openAppDialog(request, {
      opener: app,
      place: place.current,
      mounted,
      container: place.current.closest<HTMLElement>('.casement-chat') ?? document.body,
      className: 'casement-dialog',
      close: closeApp,
    });
    deliver.current = createDelivery(dialog.app, mounted);
    deliver.current(toTold(mounted));
  };
  // A page that shows dialogs itself has its own way.
  return options && { onModal, ...options };
};

/** Leaves the display mode out: a dialog has none. */
const toTold = ({ displayMode, ...told }: McpAppOptions): McpAppOptions => {
  void displayMode;
  return told;
};
