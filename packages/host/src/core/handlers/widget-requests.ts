import type { ParamsOf } from '@casement/protocol';
import { readToolUi } from '@casement/protocol/basics';
import { allow, refuse } from '../policy/decision.js';
import type { HandlerContext } from './handler-context.js';
import type { SessionOptions } from '../session-options.js';

/*
 * Loaded on demand: what widgets of the OpenAI family can ask for beyond MCP Apps.
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
 * Passes a widget's request for a dialog to the embedder. The dialog shows the widget's own document unless the request
 * names another one of its server.
 */
export const askForModal = async (
  context: HandlerContext,
  onModal: NonNullable<SessionOptions['onModal']>,
  { title, params, template }: ParamsOf<'casement/modal'>,
): Promise<Record<string, never>> => {
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
  readToolUi({ _meta: { ui: { resourceUri: template } } }).resourceUri;
