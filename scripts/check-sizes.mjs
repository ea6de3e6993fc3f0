// The budgets of what a page loads before anything can happen; part of npm run check. `--parts` lists the host's largest files.
import {
  measureApp,
  measureBridge,
  measureChat,
  measureHost,
  measureInspector,
  measureReact,
} from './lib/sizes.mjs';
import { runMain } from './lib/run.mjs';

const KB = 1024;
const limits = {
  host: 20 * KB,
  react: 3 * KB,
  chat: 38 * KB,
  inspector: 250 * KB,
  app: 5 * KB,
  bridge: 8.5 * KB,
};

const toKb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;

runMain(async () => {
  const host = await measureHost();
  const react = await measureReact();
  const chat = await measureChat();
  const inspector = await measureInspector();
  const app = await measureApp();
  const bridge = await measureBridge();
  const rows = [
    ['host (core, DOM, element; parts loaded on demand excluded)', host.gzip, limits.host],
    ['React, on top of the host', react.gzip, limits.react],
    ['chat, on top of React', chat.gzip, limits.chat],
    ['inspector, first load', inspector.gzip, limits.inspector],
    ['app, the typed class', app.gzip, limits.app],
    ['app, the generated bridge with every adapter', bridge.gzip, limits.bridge],
  ];
  for (const [what, size, limit] of rows)
    process.stdout.write(`${what}: ${toKb(size)} gzip of at most ${toKb(limit)}\n`);
  if (process.argv.includes('--parts'))
    for (const [part, bytes] of host.parts) process.stdout.write(`${String(bytes).padStart(7)}  ${part}\n`);
  const over = rows.filter(([, size, limit]) => size > limit).map(([what]) => what);
  if (over.length > 0)
    throw new Error(`over budget: ${over.join('; ')}. Load on demand what is needed later or rarely.`);
});
