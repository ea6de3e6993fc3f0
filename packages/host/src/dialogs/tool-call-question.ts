import type { ToolClaim } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { toReadableJson } from '@casement/protocol/consents';
import type { ToolCallRequest } from '../core/session-options.js';
import type { DialogWords } from '../dom/host-words.js';
import type { Question, QuestionText } from './question.js';
import { toAppName } from './to-question.js';

const maxName = 200;

/** Asks whether a call may be made: which tool, of which server, with which arguments, and what it says of itself. */
export const toToolCallQuestion = (request: ToolCallRequest, words: DialogWords): Question => {
  const { caller, tool, reach, app } = request;
  const server = toPrintable(request.server, maxName);
  const name = toPrintable(tool.name, maxName);
  const title = toPrintable(tool.title ?? '', maxName);
  const whose = app && toAppName(app);
  const isOfApp = caller === 'app';
  const always = isOfApp ? words.toolAlways(name, server) : words.toolAlwaysOfModel(name, server);
  return {
    title: isOfApp ? words.toolTitle : words.toolTitleOfModel,
    // The name is what is called; a title alone could say anything.
    subject: title === '' || title === name ? name : `${title} (${name})`,
    asker: isOfApp ? words.toolAsker(server, whose ?? '') : words.toolAskerOfModel(server, whose),
    warnings: [
      ...toClaims(request.claims).map((claim) => words.toolClaims[claim]),
      ...(reach === 'app' ? [words.toolReach] : []),
    ],
    texts: [toArguments(request.arguments, words)],
    allow: words.toolAllow,
    ...(reach === 'app' ? {} : { always }),
  };
};

/**
 * Leaves out the claim that a tool changes something if the tool also says whether it destroys: that claim says more.
 */
const toClaims = (claims: readonly ToolClaim[]): readonly ToolClaim[] => {
  const isSaid = claims.some((claim) => ['may-destroy', 'destroys-nothing', 'unclear'].includes(claim));
  return claims.filter((claim) => !(claim === 'changes' && isSaid));
};

/** All of them, as JSON: a yes to arguments nobody could read is none. */
const toArguments = (args: ToolCallRequest['arguments'], words: DialogWords): QuestionText =>
  Object.keys(args).length === 0
    ? { text: words.toolNoArguments }
    : { label: words.toolArguments, text: toReadableJson(args) };
