import type { ModalRequest, MountedApp } from '@casement/host';
import { mountApp } from '@casement/host';
import type { AppPermission, CallToolResult } from '@casement/protocol';
import { CasementError } from '@casement/protocol';
import { toPrintable } from './printable-text.js';
import type { StagedCall, StageSettings } from './stage-types.js';

/** What a dialog takes over from the app that asks for it. */
interface ModalOrigin {
  readonly call: StagedCall;
  readonly settings: StageSettings;
  readonly permissions: readonly AppPermission[];
  readonly result?: CallToolResult;
  readonly widgetState?: unknown;
}

/** The dialog a widget can have: one at a time, with an app of its own in it. */
export interface StageModal {
  /** Shows it; throws while another dialog is open. */
  open(request: ModalRequest, origin: ModalOrigin): void;
  /** The app in the dialog that is open. */
  app(): MountedApp | undefined;
  /** Takes the dialog away, asks the app in it to stop, then removes both. */
  end(reason: string): Promise<void>;
}

const createDialog = (title: string): { dialog: HTMLDialogElement; place: HTMLElement } => {
  const dialog = document.createElement('dialog');
  const head = document.createElement('div');
  const heading = document.createElement('h2');
  const close = document.createElement('button');
  const place = document.createElement('div');
  dialog.className = 'app-dialog';
  dialog.setAttribute('aria-label', title);
  head.className = 'app-dialog-head';
  heading.textContent = title;
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  place.className = 'app-dialog-place';
  head.append(heading, close);
  dialog.append(head, place);
  return { dialog, place };
};

/** Creates the place for dialogs; nothing is in the page until a widget asks. */
export const createStageModal = (): StageModal => {
  let open: { readonly app: MountedApp; end(reason: string): Promise<void> } | undefined;
  return {
    open: (request, { call, settings, permissions, result, widgetState }) => {
      // Over a question of ours, too, it would only be in the way.
      if (document.querySelector('dialog:modal'))
        throw new CasementError('display-mode-refused', 'A dialog is open already; there is one at a time.', {
          hint: 'Ask again when the user has closed it.',
        });
      const { port, resources, tool, args } = call;
      const { dialog, place } = createDialog(
        toPrintable(request.title?.trim() || (tool.title ?? tool.name), 120),
      );
      const focused = document.activeElement;
      document.body.append(dialog);
      dialog.showModal();
      const app = mountApp(place, {
        ...settings,
        // Here it is the host that says whose app it is and what went wrong.
        chrome: 'minimal',
        displayModes: ['inline'],
        server: port,
        resources,
        tool,
        resourceUri: request.resourceUri,
        family: 'openai',
        view: { mode: 'modal', ...(request.params ? { params: request.params } : {}) },
        toolInput: args,
        widgetState,
        permissions,
        title: `Dialog of ${tool.title ?? tool.name}`,
      });
      if (result) app.sendToolResult(result);
      const shown = {
        app,
        end: async (reason: string): Promise<void> => {
          if (open !== shown) return;
          open = undefined;
          dialog.close();
          // Browsers give the focus back to an element, but not to the frame of the widget that asked.
          const holder = document.activeElement;
          const isLost = !holder || holder === document.body || dialog.contains(holder);
          if (isLost && focused instanceof HTMLElement) focused.focus();
          // It says goodbye out of sight.
          await app.close(reason);
          dialog.remove();
        },
      };
      open = shown;
      dialog.addEventListener('close', () => void shown.end('The user closed the dialog.'));
      app.subscribe(() => {
        if (app.getSnapshot().status === 'closed') void shown.end('The app closed itself.');
      });
    },
    app: () => open?.app,
    end: async (reason) => open?.end(reason),
  };
};
