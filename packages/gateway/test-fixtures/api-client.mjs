// Speaks to a gateway from a process of its own, so that nothing but the gateway can delay an answer. Lines of JSON on
// stdin: {"poll":true} ends a round of asking for /api/status again and again, and tells the longest answer of it;
// {"path","body"} makes a request and tells its status and length. Each line is answered by a line, in order.
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

const [port, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const headers = {
  host: `localhost:${port}`,
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
};

const send = (path, body) =>
  new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(
      { host: '127.0.0.1', port, path: `/api${path}`, method, agent, headers },
      (answer) => {
        let length = 0;
        answer.on('data', (chunk) => (length += chunk.length));
        answer.once('end', () => resolve({ status: answer.statusCode, length }));
      },
    );
    asked.once('error', ({ code }) => resolve({ status: 0, code }));
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });

let round = { worst: 0, answers: 0, failures: 0 };
let asked;

const poll = async () => {
  for (;;) {
    asked = performance.now();
    const { status } = await send('/status');
    round.worst = Math.max(round.worst, performance.now() - asked);
    round[status === 200 ? 'answers' : 'failures'] += 1;
    asked = undefined;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

const endRound = async () => {
  // The answer that is still awaited belongs to this round.
  const before = round.answers + round.failures;
  while (round.answers + round.failures === before) await new Promise((resolve) => setTimeout(resolve, 1));
  const ended = round;
  round = { worst: 0, answers: 0, failures: 0 };
  return ended;
};

let isPolling = false;
for await (const line of createInterface({ input: process.stdin })) {
  const { poll: isPoll, path, body } = JSON.parse(line);
  if (isPoll && !isPolling) {
    isPolling = true;
    void poll();
  }
  console.log(JSON.stringify(isPoll ? await endRound() : await send(path, body)));
}
process.exit(0);
