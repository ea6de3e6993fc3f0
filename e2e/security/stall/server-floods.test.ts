import { describe, expect, test } from 'vitest';
import {
  bestOf,
  keepBusy,
  measureRound,
  startClient,
} from '../../../packages/gateway/src/connection/answer-times.test-support.js';
import { callTool, readText, start } from '../../../packages/gateway/src/gateway.test-support.js';
import { flood, floodServer } from '../flood-server.js';

/** How long each flood lasts; `npm run fuzz` asks for more. */
const seconds = Number(process.env['CASEMENT_FLOOD_SECONDS'] ?? 2);

/** How many times as long as beside a busy process an answer may take, and what such an answer takes at least, in ms. */
const limit = 10;
const least = 5;

describe('sec-B7 a server that floods', () => {
  test.each([
    ['noise', {}],
    ['broken-json', {}],
    ['malformed', {}],
    ['batch', {}],
    ['stray', {}],
    ['request', {}],
    ['log', {}],
    ['list-changed', {}],
    ['updated', {}],
    ['progress', {}],
    ['log', { stderr: true }],
  ])(
    'with %s %o leaves /api/status answering',
    async (kind, more) => {
      const gateway = await start({ servers: [floodServer('a')] });
      const client = startClient(gateway);
      const atStart = process.memoryUsage().rss;
      let written = 0;
      const ratio = await bestOf(3, limit, async () => {
        const flooded = await measureRound(client, async () => {
          const flooding = callTool(gateway, 'a', 'flood', flood(kind, { ...more, seconds }));
          // Somebody works with this server meanwhile.
          expect(readText(await callTool(gateway, 'a', 'echo', { arguments: { in: 'the middle' } }))).toEqual(
            {
              in: 'the middle',
            },
          );
          ({ written } = readText(await flooding) as { written: number });
        });
        expect(flooded.failures).toBe(0);
        // Against a process that only takes the processor: what is left is what the flood itself costs. That can only
        // allow more, so it is measured when the least it can be allows too little.
        if (flooded.worst <= limit * least) return flooded.worst / least;
        const busy = await measureRound(client, () => keepBusy(1));
        return flooded.worst / Math.max(busy.worst, least);
      });
      expect(written).toBeGreaterThan(1000);
      expect(ratio).toBeLessThanOrEqual(limit);
      expect(process.memoryUsage().rss - atStart).toBeLessThan(200 * 1024 * 1024);
    },
    60_000 + seconds * 10_000,
  );
});
