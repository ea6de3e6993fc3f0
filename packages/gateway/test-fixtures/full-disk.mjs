// Adds servers to a gateway in a process that may write no file beyond a limit, and prints the answers.
import { startGateway } from '@casement/gateway';

const [configDir, stateDir, pageDir, ...sizes] = process.argv.slice(2);
const gateway = await startGateway({ port: 0, servers: [], configDir, stateDir, pageDir });
const { port } = new URL(gateway.url);
for (const size of sizes) {
  const entry = {
    name: `of-${size}`,
    kind: 'stdio',
    command: 'x',
    args: ['a'.repeat(Number(size))],
    env: [{ name: 'A_TOKEN', text: `secret-${size}` }],
  };
  const answer = await fetch(`http://127.0.0.1:${port}/api/entries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entries: [entry] }),
  });
  process.stdout.write(`${JSON.stringify({ status: answer.status, ...(await answer.json()) })}\n`);
}
await gateway.close();
