// node side-listener.mjs <address>: says once who came, and by which door: STUN, a name that was asked for, or TCP.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

const [, , address] = process.argv;
const said = new Set();
const say = (line) => {
  if (said.has(line)) return;
  said.add(line);
  process.stdout.write(`${line}\n`);
};

/** The name in a DNS question: labels, each after its length, from the thirteenth byte on. */
const readName = (packet) => {
  const labels = [];
  for (let at = 12; at < packet.length && packet[at] > 0; at += packet[at] + 1)
    labels.push(packet.subarray(at + 1, at + 1 + packet[at]).toString('latin1'));
  return labels.join('.').toLowerCase();
};

const listenForNames = () =>
  new Promise((resolve) => {
    const dns = createSocket('udp4').on('message', (packet, { port, address: from }) => {
      // What the browser asks for itself is not of interest.
      const [, who, door] = /^(app|plain)-([a-z]+)\.probe\.test$/.exec(readName(packet)) ?? [];
      if (who) say(`${who}: name of ${door}`);
      // No such name: the question again, with the bits of an answer.
      const answer = Buffer.from(packet);
      answer.writeUInt16BE(0x8183, 2);
      dns.send(answer, port, from);
    });
    dns.bind(53, address, resolve);
  });

const listenForStun = (port, who) =>
  new Promise((resolve) => {
    createSocket('udp4')
      .on('message', () => say(`${who}: STUN`))
      .bind(port, address, resolve);
  });

const listenForTcp = (port, who) =>
  new Promise((resolve) => {
    createServer((socket) => {
      say(`${who}: connection`);
      socket.on('error', () => undefined);
    }).listen(port, address, resolve);
  });

await Promise.all([
  listenForNames(),
  listenForStun(3478, 'plain'),
  listenForStun(3479, 'app'),
  listenForTcp(8080, 'plain'),
  listenForTcp(8081, 'app'),
]);
say('listening');
