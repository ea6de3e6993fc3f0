// Connects to the addresses it is given and prints their summaries as one line of JSON: for tests of what Node reads of its
// environment only once, when a process starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '@casement/gateway';

const folder = mkdtempSync(join(tmpdir(), 'casement-once-'));
const servers = process.argv.slice(2).map((url, index) => ({ name: `server-${index}`, kind: 'http', url }));
const gateway = await startGateway({ port: 0, pageDir: folder, stateDir: folder, servers });
await gateway.settled();
process.stdout.write(JSON.stringify(gateway.servers()));
await gateway.close();
rmSync(folder, { recursive: true });
