// Runs a child process whose chatter goes to stderr, so that stdout stays free for the command itself.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Says one line of progress on stderr. */
export const say = (line) => process.stderr.write(`casement: ${line}\n`);

/** Runs a command and resolves with its exit code; everything it prints goes to our stderr unless `stdio` says otherwise. */
const runCode = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });

/** Runs a Node script and resolves with its exit code and all that it printed, so that several can run side by side. */
export const runQuietly = (script, args) =>
  new Promise((resolve, reject) => {
    const printed = [];
    const child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => printed.push(piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, text: Buffer.concat(printed).toString('utf8') }));
  });

/** Runs a command and throws when it fails. */
export const run = async (command, args, options) => {
  const code = await runCode(command, args, options);
  if (code !== 0) throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}.`);
};

/** Runs one of our Node tools by its script path inside node_modules, without a shell. */
export const runTool = (script, args, options) =>
  runCode(process.execPath, [join(root, 'node_modules', script), ...args], options);

/** Ends the process with one sentence instead of a stack when `main` fails. */
export const runMain = (main) =>
  main().catch((error) => {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
