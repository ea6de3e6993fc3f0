import { createInterface } from 'node:readline';

/** Answers the JSON-RPC requests that come on stdin, one a line, by handlers named after their methods; ends with stdin. */
export const answerLines = (handlers) => {
  const answer = ({ method, params = {} }) => {
    if (!Object.hasOwn(handlers, method))
      return { error: { code: -32601, message: `Method not found: ${method}` } };
    try {
      return { result: handlers[method](params) };
    } catch ({ code = -32603, message }) {
      return { error: { code, message } };
    }
  };
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line);
      if (message.id === undefined || message.method === undefined) return;
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) })}\n`);
    })
    .on('close', () => process.exit(0));
};
