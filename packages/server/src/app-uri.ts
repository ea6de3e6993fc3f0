import { readToolUi } from '@casement/protocol/resource';
import { AppServerError } from './app-server-error.js';

/** How an address is made where none is given: `ui://widget/<tool>.html` or `ui://<tool>/<file>.html`. */
export type AppUriForm = 'widget' | 'tool';

/** The address of a tool's app where none is given. */
export const toAppUri = (tool: string, form: AppUriForm = 'widget', file = 'app.html'): string =>
  parseAppUri(
    form === 'tool'
      ? `ui://${encodeURIComponent(tool)}/${encodeURIComponent(file)}`
      : `ui://widget/${encodeURIComponent(tool)}.html`,
  );

/** Takes an address that hosts will fetch and servers will find again, or throws (SERVER-001). */
export const parseAppUri = (uri: unknown): string => {
  const { resourceUri, findings } = readToolUi({ _meta: { ui: { resourceUri: uri } } });
  if (resourceUri === undefined) {
    const [finding] = findings;
    throw new AppServerError(
      'resource-uri',
      `The address of an app must be a ui:// URI. ${finding?.message ?? ''}`.trim(),
      'Write it like ui://weather/dashboard.html.',
    );
  }
  const canonical = toCanonical(resourceUri);
  if (canonical !== resourceUri) {
    // Servers look a resource up by the URL as parsed: in any other spelling it would never be found.
    throw new AppServerError(
      'resource-uri',
      `The address "${resourceUri}" is not in the form in which it will be asked for.`,
      canonical === undefined
        ? 'Use letters, digits, dots and dashes, like ui://weather/dashboard.html.'
        : `Write it as ${canonical}.`,
    );
  }
  return resourceUri;
};

/** The address of a second document for hosts of the OpenAI family, next to the app's own. */
export const toOpenAiUri = (uri: string): string => uri.replace(/(\.html?)?$/i, '.skybridge$1');

const toCanonical = (uri: string): string | undefined => (URL.canParse(uri) ? new URL(uri).href : undefined);
