import { toPrintable } from '@casement/protocol/basics';
import { checkAgainstSchema } from '@casement/protocol/schema';
import { isRecord } from '@casement/protocol/start';
import { isToolVisibleTo } from '@casement/protocol/tools';
import type { DoctorFinding } from '../doctor/report.js';

/** A tool as its server lists it, and what a call of it gave. */
export interface LintedResult {
  readonly tool: unknown;
  readonly result: unknown;
}

const shared = { stage: 'fed', severity: 'warning', witness: 'host' } as const;

/** Whether there is something a model reads: a text that is not blank, or anything that is no text. */
const hasContent = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.some((block) => {
    if (!isRecord(block)) return false;
    return block.type !== 'text' || (typeof block.text === 'string' && /\S/.test(block.text));
  });

const findNoContent = ({ tool, result }: LintedResult): DoctorFinding[] => {
  // What only the app calls, no model reads.
  if (!isRecord(result) || hasContent(result.content) || !isToolVisibleTo(tool, 'model')) return [];
  return [
    {
      ...shared,
      code: 'content-missing',
      message:
        'The result has no content: the model reads nothing of it, and hosts without apps show nothing.',
      fix: 'Return a text beside structuredContent: "content": [{ "type": "text", "text": "…" }].',
      path: 'content',
    },
  ];
};

const findUnmetSchema = ({ tool, result }: LintedResult): DoctorFinding[] => {
  if (!isRecord(tool) || !isRecord(result) || result.isError === true) return [];
  const { structuredContent } = result;
  if (structuredContent !== undefined && !isRecord(structuredContent)) {
    return [
      {
        ...shared,
        code: 'structured-content-type',
        message: 'structuredContent of the tool result is not an object and was left out.',
        fix: 'Return an object, for example { items: [ … ] }.',
        path: 'structuredContent',
      },
    ];
  }
  if (!isRecord(tool.outputSchema)) return [];
  if (structuredContent === undefined) {
    return [
      {
        ...shared,
        code: 'structured-content-missing',
        message: 'The tool declares an outputSchema, and its result has no structuredContent.',
        fix: 'Return structuredContent as the outputSchema says, or remove the outputSchema.',
        path: 'structuredContent',
      },
    ];
  }
  // A check that is given up found nothing, and says nothing.
  const { problem } = checkAgainstSchema(tool.outputSchema, structuredContent);
  if (problem === undefined) return [];
  const end = problem.indexOf(': ');
  const place = end === -1 ? problem : problem.slice(0, end);
  return [
    {
      ...shared,
      code: 'output-schema-unmet',
      message: `structuredContent is not as the outputSchema of the tool says: ${toPrintable(problem, 300)}.`,
      fix: `Correct ${place === '#' ? 'structuredContent' : toPrintable(place, 200)} in the result, or the outputSchema: the official clients refuse such a result.`,
      path: `structuredContent${toPrintable(place.slice(1), 200)}`,
    },
  ];
};

/** What is wrong with the result of a call, compared with what its tool declares. */
export const lintResult = (linted: LintedResult): DoctorFinding[] => [
  ...findNoContent(linted),
  ...findUnmetSchema(linted),
];
