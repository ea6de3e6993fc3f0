import type { ConsentAnswer } from '@casement/host';
import type { ServerPort } from '@casement/protocol/ports';
import type { ResultOf, Tool } from '@casement/protocol';
import type { ContractSpec, Heard, Question } from './page-contract.js';

/** The tool whose app is shown, and one the app may call. */
export const shownTool: Tool = {
  name: 'show',
  inputSchema: { type: 'object' },
  _meta: { ui: { resourceUri: 'ui://contract/app' } },
};

/** A server that is in the page. */
export const toServer = (spec: ContractSpec): ServerPort => {
  let reads = 0;
  return {
    name: 'contract server',
    identity: 'Y29udHJhY3Q',
    listTools: () => Promise.resolve([shownTool]),
    callTool: ({ name }, { caller }) =>
      Promise.resolve({ content: [{ type: 'text', text: `${name} for ${caller}` }] }),
    readResource({ uri }) {
      reads += 1;
      return reads <= (spec.failingReads ?? 0)
        ? Promise.reject(new Error('not today'))
        : Promise.resolve({ contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: spec.html }] });
    },
    listResources: () => Promise.resolve([]),
    subscribe: () => () => undefined,
  };
};

/** Writes down what was asked and answers as the spec says. */
export const createAnswers = (spec: ContractSpec, heard: Heard[]) => {
  const counts = new Map<Question, number>();
  return (question: Question, value: unknown): ConsentAnswer => {
    const count = counts.get(question) ?? 0;
    counts.set(question, count + 1);
    // Signals cannot leave the page.
    heard.push({ what: question, value: JSON.parse(JSON.stringify(value ?? null)) });
    const answers = spec.answers?.[question] ?? [];
    return answers[count] ?? answers.at(-1) ?? false;
  };
};

/** The model of a page that allows sampling. */
export const createMessage = (): Promise<ResultOf<'sampling/createMessage'>> =>
  Promise.resolve({ role: 'assistant', model: 'fixture', content: { type: 'text', text: 'said the model' } });
