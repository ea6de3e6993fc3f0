import { toKnownBlock } from '@casement/protocol/consents';
import { CasementError } from '../loaded/loaded.js';
import type { CallToolResult, ContentBlock, Tool } from '@casement/protocol';
import { findSchemaProblem } from '@casement/protocol/schema';
import { cleanTexts } from './clean-texts.js';
import type { SessionLimits } from '../limits.js';

/** The result of an app's tool as it may leave the host: of bounded size, as declared, without tricks (HOST-101). */
export const checkAppToolResult = async (
  tool: Tool,
  result: CallToolResult,
  { maxAppToolResultLength }: Pick<SessionLimits, 'maxAppToolResultLength'>,
): Promise<CallToolResult> => {
  const { content, structuredContent, isError } = result;
  const { length } = JSON.stringify(result);
  if (length > maxAppToolResultLength) {
    throw new CasementError('result-too-large', `The result of the app's tool has ${length} characters.`, {
      hint: `Return at most ${maxAppToolResultLength}.`,
    });
  }
  if (content.some(isTrap)) throw toInvalid('it points to a script, a file or inline data');
  if (tool.outputSchema && isError !== true) {
    const problem =
      structuredContent === undefined
        ? 'structuredContent is missing'
        : findSchemaProblem(tool.outputSchema, structuredContent);
    if (problem !== undefined) throw toInvalid(problem);
  }
  return {
    ...(await cleanTexts({
      content: content.map(toKnownBlock),
      ...(structuredContent === undefined ? {} : { structuredContent }),
    })),
    ...(isError === undefined ? {} : { isError }),
  };
};

const toInvalid = (reason: string): CasementError =>
  new CasementError('app-tool-invalid', `The result of the app's tool was refused: ${reason}.`, {
    hint: 'Return what the outputSchema of the tool declares, and only web or server resources as links.',
  });

const isTrap = (block: ContentBlock): boolean =>
  block.type === 'resource_link' && /^\s*(?:javascript|vbscript|data|blob|file):/i.test(block.uri);
