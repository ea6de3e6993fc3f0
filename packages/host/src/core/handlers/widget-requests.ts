import { allow, readToolLink, refuse, refuseRate } from '../loaded/loaded.js';
import { refuseClosing, refuseUnasked } from '../policy/policy.js';
import type { ParamsOf } from '@casement/protocol';
import type { RateLimit } from '../policy/rate-limit.js';
import type { HandlerContext } from './handler-context.js';
import type { SessionOptions } from '../session-options.js';

/*
 * What widgets of the OpenAI family can ask for beyond MCP Apps.
 */

const maxStateBytes = 256 * 1024;

/** Keeps the state of a widget; a new state replaces the old one. */
export const keepWidgetState = (
  context: HandlerContext,
  { state = null }: ParamsOf<'casement/widget-state'>,
): Record<string, never> => {
  const bytes = new TextEncoder().encode(JSON.stringify(state) ?? '').length;
  context.enforce(
    'casement/widget-state',
    bytes <= maxStateBytes
      ? allow('The widget has its state kept.')
      : refuse(
          'widget-state-refused',
          `The state of the widget has ${bytes} bytes; at most ${maxStateBytes} are kept.`,
          'Keep less: what was kept before still holds.',
        ),
    { bytes },
  );
  context.update({ widgetState: state });
  context.options.onWidgetState?.(state);
  return {};
};

/**
 * Passes a widget's request for a dialog to the embedder, if the user just did something in the widget and it does not
 * ask too often. The dialog shows the widget's own document unless the request names another one of its server.
 */
export const askForModal = async (
  context: HandlerContext,
  { title, params, template }: ParamsOf<'casement/modal'>,
  {
    onModal,
    modals,
    signal,
  }: {
    readonly onModal: NonNullable<SessionOptions['onModal']>;
    readonly modals: RateLimit;
    readonly signal: AbortSignal;
  },
): Promise<Record<string, never>> => {
  if (!modals.take()) context.enforce('casement/modal', refuseRate('casement/modal'));
  const isUnasked = !(await context.surface.hasUserActivation());
  // Last, as all of this takes a moment in which the widget may have gone.
  if (context.closing.aborted) context.enforce('casement/modal', refuseClosing);
  signal.throwIfAborted();
  if (isUnasked) context.enforce('casement/modal', refuseUnasked);
  const app = context.app();
  const named = template === undefined ? app.resource : toUri(template);
  context.enforce(
    'casement/modal',
    named === undefined
      ? refuse(
          'resource-refused',
          'The template of the dialog is not a ui:// address.',
          'Name a UI resource.',
        )
      : allow('The embedder shows dialogs.'),
    template === undefined ? {} : { template: template.slice(0, 200) },
  );
  if (named === undefined) return {};
  await onModal({
    resourceUri: named,
    app,
    ...(title === undefined ? {} : { title: title.slice(0, 200) }),
    ...(params ? { params } : {}),
  });
  return {};
};

const toUri = (template: string): string | undefined =>
  readToolLink({ _meta: { ui: { resourceUri: template } } }).resourceUri;
