import { toPrintable } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import type { ModalRequest } from '../core/session-options.js';
import { toChromeWords } from '../dom/chrome/chrome-words.js';
import type { MountAppOptions } from '../dom/mount-app-options.js';
import type { MountedApp } from '../core/session-options.js';
import { mountApp } from '../dom/mount-app.js';
import { isAsking } from './create-consent-dialogs.js';
import { createDialogFrame } from './dialog-frame.js';

/** What a dialog is made of; how it looks is up to the page's style sheet. */
export interface AppDialogOptions {
  /** The app that asks. The dialog ends with it. */
  readonly opener: MountedApp;
  /** The element that app is in: while it is out of sight there is no dialog. */
  readonly place: HTMLElement;
  /** What that app was mounted with; the one in the dialog has the same server, call and hooks. */
  readonly mounted: MountAppOptions;
  /** Where the dialog is put; the page's body unless given. */
  readonly container?: HTMLElement;
  /** Its class; head and place of the app have the same with `-head` and `-place` after it. */
  readonly className: string;
  /** The word on its button; that of the chrome unless given. */
  readonly close?: string;
}

/** The dialog of a widget while it is open. */
export interface AppDialog {
  /** The app in it, to be told what the one that asked is told. */
  readonly app: MountedApp;
  /** Takes the dialog away, asks the app in it to stop, then removes both. */
  end(reason: string): Promise<void>;
}

const refusal = (message: string, hint: string): CasementError =>
  new CasementError('display-mode-refused', message, { hint });

/**
 * Shows the dialog a widget asked for (`onModal`), one at a time: a view of its own under a line that says whose it is,
 * then the title the app gave it, ended by its button, by Escape, by the app in it, or with the app that asked. The
 * focus goes back where it was.
 */
export const openAppDialog = (request: ModalRequest, options: AppDialogOptions): AppDialog => {
  const { opener, place, mounted, container = document.body, className } = options;
  const asking = opener.getSnapshot();
  if (asking.status !== 'ready') throw new CasementError('session-closed', 'The app is gone.');
  // Over a question, too, it would only be in the way.
  if (isAsking() || document.querySelector('dialog:modal'))
    throw refusal(
      'A dialog is open already; there is one at a time.',
      'Ask again when the user has closed it.',
    );
  // Out of nowhere nobody would know whose it is; in a part of the page that is hidden it could not even be closed.
  if (!place.checkVisibility({ visibilityProperty: true }))
    throw refusal('The app is out of sight.', 'Ask when the user does something in the app.');

  const { name, tool, server } = mounted;
  const title = toPrintable(request.title?.trim() || (name ?? tool?.title ?? tool?.name ?? server.name), 120);
  const words = toChromeWords(mounted.words);
  const frame = createDialogFrame({
    className,
    // Whose it is comes first and in the host's words; a title alone could speak for the host.
    title: words.from(toPrintable(server.name, 80)),
    ownTitle: words.titled(title),
    close: options.close ?? words.close,
    container,
  });
  const app = mountApp(frame.place, toDialogOptions(request, options, title));
  let isOpen = true;
  const end = async (reason: string): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    unsubscribe();
    frame.close();
    // It says goodbye out of sight.
    await app.close(reason);
    frame.remove();
  };
  frame.onClose(() => void end('The user closed the dialog.'));
  const stops = [
    opener.subscribe(() => {
      if (opener.getSnapshot().status !== 'ready') void end('The app that asked ended or starts over.');
    }),
    app.subscribe(() => {
      if (app.getSnapshot().status === 'closed') void end('The app closed itself.');
    }),
  ];
  const unsubscribe = (): void => stops.forEach((stop) => stop());
  return { app, end };
};

/** What is only the asking app's is left out: where it is shown, what it tells the model, its next dialog. */
const toDialogOptions = (
  { resourceUri, params }: ModalRequest,
  { opener, mounted }: AppDialogOptions,
  title: string,
): MountAppOptions => {
  const { widgetState, resource } = opener.getSnapshot();
  const {
    embedded,
    permissions = [],
    onModal,
    onModelContext,
    onWidgetState,
    onRequestTeardown,
    onDisplayMode,
    onModeChosen,
    ...shared
  } = mounted;
  void [embedded, onModal, onModelContext, onRequestTeardown, onDisplayMode, onModeChosen];
  // What the user gave to one document and what it kept are not another one's.
  const isOwn = resourceUri === resource?.uri;
  return {
    ...shared,
    // Here it is the host that says whose app it is and what went wrong.
    chrome: 'minimal',
    showFailures: true,
    displayModes: ['inline'],
    presence: 'always',
    resourceUri,
    family: 'openai',
    widgetView: { mode: 'modal', ...(params ? { params } : {}) },
    widgetState: isOwn ? widgetState : undefined,
    // The same widget twice has one state.
    ...(isOwn
      ? {
          onWidgetState(state: unknown) {
            opener.setWidgetState(state);
            onWidgetState?.(state);
          },
        }
      : {}),
    permissions: isOwn ? permissions : [],
    title,
  };
};
