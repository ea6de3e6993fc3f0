import type { AppFamily } from '@casement/protocol';
import { throwCodeMissing } from '../missing-code.js';
import { readToolLink } from '@casement/protocol/basics';
import { CasementError } from '@casement/protocol/start';
import type { SessionOptions } from '../session-options.js';
import type { AppResource } from './app-resource.js';

type Linking = Pick<SessionOptions, 'tool' | 'resourceUri' | 'family' | 'embedded'>;

/** The address of the document to show and the family it is linked for; throws when there is none. */
export const findDocument = async (options: Linking): Promise<{ uri: string; linked: AppFamily | null }> => {
  if (options.embedded !== undefined) {
    const { readEmbeddedUri } = await import('../loaded/unusual-app.js').catch(throwCodeMissing);
    return { uri: readEmbeddedUri(options.embedded), linked: null };
  }
  const read = toReader(options);
  const { resourceUri, family } = read(readToolLink);
  if (resourceUri !== undefined) return { uri: resourceUri, linked: family };
  const { tool } = options;
  const { readToolUi } = await import('../loaded/unusual-app.js').catch(throwCodeMissing);
  const { findings } = read(readToolUi);
  const finding = findings.find(({ code }) => code === 'resource-uri') ?? findings[0];
  const noUi = tool
    ? `The tool ${tool.name} names no UI resource.`
    : 'Neither a tool nor a resource address was given.';
  throw new CasementError(finding ? 'resource-uri' : 'resource-missing', finding?.message ?? noUi, {
    step: 'resource',
    hint: finding?.fix ?? 'Set _meta.ui.resourceUri of the tool to a ui:// address.',
  });
};

/** An address given by the embedder is judged like one a tool names. */
const toReader =
  ({ tool, resourceUri, family }: Linking) =>
  <T extends { resourceUri?: string }>(read: (tool: unknown, prefer?: AppFamily) => T): T => {
    const own = read(tool, family);
    return resourceUri === undefined || own.resourceUri === resourceUri
      ? own
      : read({ _meta: { ui: { resourceUri } } });
  };

/** Its own type decides, then what linked it; the embedder's choice wins over both, for what is HTML of either. */
export const toFamilyOf = (
  resource: AppResource,
  linked: AppFamily | null,
  wished: AppFamily | undefined,
): AppResource => {
  if (resource.family === 'mcp-ui') return resource;
  const family = wished ?? (linked === 'openai' ? linked : resource.family);
  return family === resource.family ? resource : { ...resource, family, shim: false };
};
