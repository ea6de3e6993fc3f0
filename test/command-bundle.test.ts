import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { builtinModules } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'packages/casement/dist');

/** What each file of the command was made from, as the build noted it; and the page's, as `main`. */
const bundled = JSON.parse(readFileSync(join(root, '.cache/bundled-files.json'), 'utf8')) as Record<
  string,
  string[]
>;
const builtins = new Set(builtinModules);
const inputs = [...new Set(Object.values(bundled).flat())];

const readJson = (path: string) =>
  // Manifests of packages that npm installed.
  JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string; license: string };

interface Started {
  readonly url: string;
  readonly token: string;
  readonly servers: readonly { readonly name: string; readonly status: string }[];
}

/** The files of the command that a start loads, until the tools of its one server are listed. */
const listLoaded = async (...argv: string[]): Promise<string[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Node writes there, at its end, about every file that it ran.
  const env = { ...process.env, NODE_V8_COVERAGE: folder };
  const child = spawn(
    process.execPath,
    [join(dist, 'cli.js'), '--json', '--no-open', '--port', '0', ...argv],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, token, servers } = JSON.parse(String(line)) as Started;
  expect(servers).toMatchObject([{ status: 'ready' }]);
  const answer = await fetch(new URL(`/api/servers/${servers[0]?.name}/tools`, url), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toMatchObject({ tools: expect.arrayContaining([expect.anything()]) });
  child.kill('SIGTERM');
  await once(child, 'exit');
  const reports = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const urls = reports
    .map((text) => JSON.parse(text) as { result: { url: string }[] })
    .flatMap(({ result }) => result.map((script) => script.url))
    .filter((address) => address.startsWith('file:'));
  return [...new Set(urls.map((address) => relative(root, fileURLToPath(address))))];
};

describe('what a start loads', () => {
  test('is, with one stdio server, nothing of models, chats, browsers, config files and sandboxes', async () => {
    const server = join(root, 'packages/gateway/test-fixtures/fixture-server.mjs');
    const loaded = (await listLoaded('--', process.execPath, server)).filter((file) =>
      file.startsWith('packages/casement/'),
    );
    expect(loaded).toContain('packages/casement/dist/cli.js');
    // Every file that was loaded is one that the build knows.
    expect(loaded.filter((file) => bundled[file] === undefined)).toEqual([]);
    const sources = loaded.flatMap((file) => bundled[file] ?? []);
    expect(sources).toContain('packages/casement/src/serve.ts');
    expect(sources.some((file) => file.startsWith('node_modules/@modelcontextprotocol/client/'))).toBe(true);
    const late =
      /node_modules\/(?:ai|@ai-sdk|@opentelemetry|@vercel|open|jsonc-parser|jose)\/|gateway\/dist\/chat\/(?:run-step|provider-model|to-prompt)|sandbox\/dist\/(?:handler|generated)\/|zod\/v4\/locales\/(?!en\.)/;
    // They are in the command; only not in what was loaded.
    expect(inputs.filter((file) => late.test(file)).length).toBeGreaterThan(50);
    expect(sources.filter((file) => late.test(file))).toEqual([]);
    process.stdout.write(`a start with one stdio server loads ${loaded.length} files\n`);
    // Node looks up every import of each: ten files took longer, and 5 MB more, than five with the same code.
    expect(loaded.length).toBeLessThanOrEqual(6);
  });

  test('is nothing but the command itself for its help', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'casement-loaded-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, [join(dist, 'cli.js'), '--help'], {
      env: { ...process.env, NODE_V8_COVERAGE: folder },
      stdio: 'ignore',
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join();
    expect(text).toContain('casement/dist/cli.js');
    expect(text).not.toContain('chunks/serve-');
  });
});

/** Whether a start loaded Node's own module of `fetch`, until its page was read and the tools of its server were listed. */
const loadsFetch = async (...argv: string[]): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-fetch-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tell = join(folder, 'tell.cjs');
  const told = join(folder, 'told.json');
  writeFileSync(
    tell,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.moduleLoadList)));`,
  );
  const child = spawn(
    process.execPath,
    ['--require', tell, join(dist, 'cli.js'), '--json', '--no-open', '--port', '0', ...argv],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, token, servers } = JSON.parse(String(line)) as Started;
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/', '/api/status', `/api/servers/${servers[0]?.name}/tools`])
    expect((await fetch(new URL(path, url), { headers })).status, path).toBe(200);
  const sandbox = `http://127.0.0.1:${Number(new URL(url).port) + 1}`;
  expect((await fetch(`${sandbox}/probe`)).status).toBe(204);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const loaded = JSON.parse(readFileSync(told, 'utf8')) as string[];
  expect(loaded.some((name) => name.includes('_http_server'))).toBe(true);
  return loaded.some((name) => name.includes('undici'));
};

test('a start loads nothing of fetch, whatever kind of server it has', async () => {
  const server = join(root, 'packages/gateway/test-fixtures/fixture-server.mjs');
  expect(await loadsFetch('--', process.execPath, server)).toBe(false);
  const web = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      // The official client wrote it.
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      if (id === undefined) return void response.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'web', version: '1' },
        },
        'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      };
      const result = results[method];
      const error = { code: -32601, message: 'Method not found' };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) })}\n\n`,
      );
    });
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    web.closeAllConnections();
    web.close();
  });
  // A TCP server has this kind of address.
  expect(await loadsFetch(`http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`)).toBe(false);
});

describe('what is shipped', () => {
  test('needs no other package', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'packages/casement/package.json'), 'utf8')) as object;
    expect(manifest).not.toHaveProperty('dependencies');
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(?:cli|chunks\/.*|example\/.*)\.js$/.test(file),
    );
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const text = readFileSync(join(dist, file), 'utf8');
      const imported = [...text.matchAll(/(?:^|[;}\n])(?:import|export)\b[^;"'`()]*?["']([^"'\n]+)["']/g)];
      const foreign = imported
        .map(([, name = '']) => name)
        .filter((name) => !/^(?:\.{1,2}\/|node:)/.test(name));
      expect(
        foreign.filter((name) => !builtins.has(name)),
        file,
      ).toEqual([]);
    }
  });

  test('can be started as a program, with the script that opens a browser', () => {
    for (const file of ['cli.js', 'chunks/xdg-open'])
      expect(statSync(join(dist, file)).mode & 0o111, file).toBe(0o111);
    expect(readFileSync(join(dist, 'cli.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    // It looks for the script beside the file that it is in.
    const opener = Object.entries(bundled).find(([, files]) => files.includes('node_modules/open/index.js'));
    expect(opener?.[0]).toMatch(/^packages\/casement\/dist\/chunks\//);
  });

  test('names every package whose code is in it, with its licence', () => {
    const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const folders = inputs.flatMap(
      (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.slice(0, 1) ?? [],
    );
    const packages = [...new Set(folders)];
    expect(packages.length).toBeGreaterThan(30);
    for (const part of ['zod', 'hono', 'react-dom', '@modelcontextprotocol/server', 'open'])
      expect(packages).toContain(`node_modules/${part}`);
    const withoutText: string[] = [];
    for (const folder of packages) {
      const { name, version, license } = readJson(join(root, folder, 'package.json'));
      expect(notices).toContain(`\n${name} ${version} (${license})\n`);
      const files = readdirSync(join(root, folder)).filter((file) => /^licen[cs]e/i.test(file));
      if (files.length === 0) withoutText.push(name);
      for (const file of files)
        expect(notices, `${folder}/${file}`).toContain(
          readFileSync(join(root, folder, file), 'utf8')
            .replaceAll('\r\n', '\n')
            .trim(),
        );
    }
    // It has that of the package beside it in its repository.
    expect(withoutText).toEqual(['@ai-sdk/provider-utils']);
    expect(notices).toMatch(
      /\n@ai-sdk\/provider-utils [\d.]+ \(Apache-2\.0\)\n-+\n\nCopyright 2023 Vercel, Inc\./,
    );
  });

  test('names what packages carry within them, too', () => {
    const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    expect(notices).toMatch(
      /\najv 8\.[\d.]+ \(MIT\), within @modelcontextprotocol\/server\n-+\n\nThe MIT License/,
    );
    expect(notices).toMatch(/\ncontent-type [\d.]+ \(MIT\), within @modelcontextprotocol\/\w+\n/);
  });
});
