import type { ContentBlock } from '@casement/protocol';
import type { ModelTool, ModelToolResult } from '../model/model.js';

const longestQuote = 200;
const mostNames = 20;

const toNames = (tools: readonly ModelTool[]): string => {
  const names = tools.slice(0, mostNames).map(({ name }) => name);
  const rest = tools.length - names.length;
  return names.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
};

const toOffer = (tools: readonly ModelTool[]): string =>
  tools.length === 0 ? 'There are no tools.' : `There are: ${toNames(tools)}.`;

/** What to say when a name means no tool, or several. */
export const toUnknownAnswer = (
  name: string,
  found: readonly ModelTool[],
  tools: readonly ModelTool[],
): string => {
  const quoted = toQuote(name, 60);
  if (found.length > 1) return `Several tools are called ${quoted}: ${toNames(found)}. Name one of them.`;
  return `There is no tool called ${quoted}. ${toOffer(tools)}`;
};

/** What to say to words that are no command. */
export const toGuidance = (tools: readonly ModelTool[]): string => {
  const [first] = tools;
  if (!first) return `This is the scripted model: it calls tools when it is told to. ${toOffer(tools)}`;
  return (
    `This is the scripted model: it calls tools when it is told to. ` +
    `Write /${first.name} {"key": "value"}, or: call ${first.name} with key=value. ${toOffer(tools)}`
  );
};

/** What to say after calls: per call, what came back. */
export const toResultsAnswer = (results: readonly ModelToolResult[]): string =>
  results
    .map(({ name, content, isError }) => {
      const back = content.length === 0 ? 'nothing' : content.map(toBlockWords).join(', ');
      return isError ? `${name} failed: ${back}` : `${name} came back with ${back}`;
    })
    .map((line) => (/[.!?…]$/.test(line) ? line : `${line}.`))
    .join('\n');

const toBlockWords = (block: ContentBlock): string => {
  switch (block.type) {
    case 'text':
      return toQuote(block.text, longestQuote);
    case 'image':
      return `an image (${block.mimeType})`;
    case 'audio':
      return `a sound (${block.mimeType})`;
    case 'resource':
      return `the resource ${toQuote(block.resource.uri, 100)}`;
    case 'resource_link':
      return `a link to ${toQuote(block.uri, 100)}`;
  }
};

const toQuote = (text: string, longest: number): string => {
  const characters = Array.from(text.replace(/\s+/g, ' ').trim());
  return characters.length > longest
    ? `“${characters.slice(0, longest).join('')}…”`
    : `“${characters.join('')}”`;
};
