import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api, createFolder, openEvents, start } from '../gateway.test-support.js';

/** A server that answers subscriptions, and their ends, with more than two million characters. */
const wordyServer = `
  import { createInterface } from 'node:readline';
  const answer = (id, more) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
  const serverInfo = { name: 'wordy', version: '1' };
  const capabilities = { resources: { subscribe: true } };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const { protocolVersion } = params ?? {};
    if (method === 'initialize') answer(id, { result: { protocolVersion, capabilities, serverInfo } });
    else if (/^resources.(un)?subscribe$/.test(method)) answer(id, { result: { _meta: { words: 'x'.repeat(2 ** 21) } } });
    else answer(id, { error: { code: -32601, message: 'Method not found' } });
  });`;

test('a server may answer a subscription with as many words as it likes', async () => {
  const file = join(createFolder(), 'wordy.mjs');
  writeFileSync(file, wordyServer);
  const gateway = await start({
    servers: [{ name: 'wordy', kind: 'stdio', command: process.execPath, args: [file], inheritEnv: false }],
  });
  const stream = 'page-one-stream';
  await openEvents(gateway, stream);
  for (const action of ['subscribe', 'unsubscribe']) {
    const wanted = { uri: 'ui://wordy/app', caller: 'app', stream };
    const { status, body } = await api(gateway, `/servers/wordy/resources/${action}`, wanted);
    expect(body.error, action).toBeUndefined();
    expect(status, action).toBe(200);
  }
});
