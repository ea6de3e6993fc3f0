import type { AppFamily, Tool } from '@casement/protocol';
import { isToolCallableBy } from '@casement/protocol/tools';
import type { Decision } from './decision.js';
import { allow, refuse } from './decision.js';
import { toQuoted } from './to-quoted.js';

/** A tool an app may call is in this server's current list and visible to apps (HOST-020, HOST-022, HOST-023). */
export const decideToolCall = (name: string, tool: Tool | undefined, caller: AppFamily): Decision => {
  if (!tool) {
    return refuse(
      'tool-not-found',
      `This app's server lists no tool named ${toQuoted(name)}.`,
      'Call a tool that is in the tools/list of the server this app came from.',
    );
  }
  if (!isToolCallableBy(tool, caller)) {
    return refuse(
      'tool-not-visible',
      `The tool ${toQuoted(name)} is not visible to apps.`,
      caller === 'openai'
        ? 'Set _meta["openai/widgetAccessible"] of the tool to true, or add "app" to _meta.ui.visibility, if widgets may call it.'
        : 'Add "app" to _meta.ui.visibility of the tool if apps may call it.',
    );
  }
  return allow('The tool is listed by this server and visible to apps.');
};

const maxResourceUri = 8 * 1024;

/** A read goes to the app's own server, which alone knows its resources; only the shape is judged here. */
export const decideResourceRead = (uri: string): Decision => {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (uri.length > maxResourceUri || !/^[a-z][a-z0-9+.-]*:[^\s\u0000-\u001f\u007f]+$/i.test(uri)) {
    return refuse(
      'resource-refused',
      'The resource address is not a URI.',
      'Send an absolute URI of this server, for example ui://name/page.',
    );
  }
  return allow(
    uri.startsWith('ui:')
      ? 'A UI resource of the same server.'
      : 'A resource of the same server that is not a UI resource.',
  );
};

/** An app that is being closed may save, but nobody is asked for it and nothing of it is shown any more. */
export const refuseClosing: Decision & { allow: false } = {
  allow: false,
  code: 'session-closed',
  reason: 'The app is being closed: the user is not asked any more and sees nothing of it.',
  hint: 'Ask while the app is shown. In ui/resource-teardown save with tools that need no question.',
};

/** Refuses fullscreen and picture in picture without an action of the user in the app itself. */
export const refuseUnasked: Decision & { allow: false } = {
  allow: false,
  code: 'display-mode-refused',
  reason: 'The user did nothing in the app just before the request.',
  hint: 'Ask from a click or key handler.',
};

/** The names a user's no has. */
export type DenialCode =
  'link-denied' | 'message-denied' | 'download-denied' | 'sampling-denied' | 'tool-call-denied';

/** A refusal because the user, asked by the embedder, said no. */
export const toDenial = (code: DenialCode): Decision & { allow: false } => ({
  allow: false,
  code,
  reason: 'The user said no.',
  hint: 'Do not ask again without a new action of the user.',
});
