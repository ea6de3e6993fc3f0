// The budgets of what a page loads, before an app and with one; part of npm run check. `--parts` lists the largest files
// of a page with one app.
import {
  buildAppPage,
  measureApp,
  measureBridge,
  measureChat,
  measureEvidence,
  measureHost,
  measureInspector,
  measureReact,
  measureSandboxPages,
} from './lib/sizes.mjs';
import { runMain } from './lib/run.mjs';

const KB = 1024;
const limits = {
  host: 15 * KB,
  oneApp: 45 * KB,
  everything: 95 * KB,
  react: 3 * KB,
  chat: 38 * KB,
  inspector: 150 * KB,
  app: 5 * KB,
  bridge: 8.5 * KB,
  evidence: 4 * KB,
};

const toKb = (bytes) => `${(bytes / KB).toFixed(1)} KB`;

runMain(async () => {
  const host = await measureHost();
  const page = await buildAppPage();
  const pages = await measureSandboxPages();
  const react = await measureReact();
  const chat = await measureChat();
  const inspector = await measureInspector();
  const app = await measureApp();
  const bridge = await measureBridge();
  const evidence = await measureEvidence();
  const rows = [
    ['host, before an app (core, DOM, element)', host.gzip, limits.host],
    ['host, with one plain app that was clicked', page.gzip, limits.oneApp],
    ['host, with everything it ever loads', host.wholeGzip, limits.everything],
    ['React, on top of the host', react.gzip, limits.react],
    ['chat, on top of React', chat.gzip, limits.chat],
    ['inspector, first load', inspector.gzip, limits.inspector],
    ['app, the typed class', app.gzip, limits.app],
    ['app, the generated bridge with every adapter', bridge.gzip, limits.bridge],
    ["sandbox, the script of evidence 'full'", evidence.gzip, limits.evidence],
  ];
  for (const [what, size, limit] of rows)
    process.stdout.write(`${what}: ${toKb(size)} gzip of at most ${toKb(limit)}\n`);
  process.stdout.write(`the sandbox's two pages of that app: ${toKb(pages.gzip)} gzip\n`);
  if (process.argv.includes('--parts'))
    for (const [part, bytes] of page.parts) process.stdout.write(`${String(bytes).padStart(7)}  ${part}\n`);
  const over = rows.filter(([, size, limit]) => size > limit).map(([what]) => what);
  if (over.length > 0)
    throw new Error(`over budget: ${over.join('; ')}. Load on demand what is needed later or rarely.`);
});
