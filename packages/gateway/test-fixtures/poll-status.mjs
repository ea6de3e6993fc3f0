// Asks /api/status again and again, from a process of its own so that nothing but the gateway can delay an answer.
// Each line on stdin ends a round and is answered with the longest answer of it in milliseconds.
import { Agent, get } from 'node:http';

const [port, token] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const headers = { host: `localhost:${port}`, authorization: `Bearer ${token}` };
let round = { worst: 0, answers: 0, failures: 0 };
let started = 0;

const ask = () => {
  const mine = round;
  started = performance.now();
  const settle = (isAnswer) => {
    mine.worst = Math.max(mine.worst, performance.now() - started);
    mine[isAnswer ? 'answers' : 'failures'] += 1;
    setTimeout(ask, 2);
  };
  get({ host: '127.0.0.1', port, path: '/api/status', agent, headers }, (response) => {
    response.resume();
    response.once('end', () => settle(response.statusCode === 200));
  }).once('error', () => settle(false));
};
ask();

process.stdin.on('data', () => {
  // An answer that is still awaited counts for the round in which it was asked for.
  const open = performance.now() - started;
  const { worst, answers, failures } = round;
  round = { worst: 0, answers: 0, failures: 0 };
  console.log(JSON.stringify({ worst: Math.max(worst, open), answers, failures }));
});
process.stdin.on('end', () => process.exit(0));
