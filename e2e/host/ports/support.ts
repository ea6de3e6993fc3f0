import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway, type RunningGateway } from '@casement/gateway';
import { build, type BuildOptions, type Plugin } from 'esbuild';

const here = import.meta.dirname;

/** Gives a file's text where `?text` is asked for. */
const textFiles: Plugin = {
  name: 'text-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice(0, -'?text'.length)),
      namespace: 'text',
    }));
    onLoad({ filter: /.*/, namespace: 'text' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
};

const shared: BuildOptions = { bundle: true, format: 'esm', target: 'es2022', plugins: [textFiles] };

const buildPage = async (folder: string): Promise<void> => {
  const pageDir = join(folder, 'page');
  mkdirSync(pageDir);
  writeFileSync(
    join(pageDir, 'index.html'),
    '<!doctype html><title>ports</title><main></main><script type="module" src="/first.js"></script><script type="module" src="/page.js"></script>',
  );
  await Promise.all([
    build({
      ...shared,
      entryPoints: [join(here, 'page.ts')],
      outfile: join(pageDir, 'page.js'),
      platform: 'browser',
    }),
    // Installed only beside the published servers, so that its types are not at hand.
    build({
      ...shared,
      stdin: {
        contents:
          'import { Client } from "@modelcontextprotocol/sdk/client/index.js"; globalThis.FirstClient = Client;',
        resolveDir: join(here, '../../servers'),
      },
      outfile: join(pageDir, 'first.js'),
      platform: 'browser',
    }),
    build({
      ...shared,
      entryPoints: [join(here, 'notes-stdio.ts')],
      outfile: join(folder, 'notes-stdio.mjs'),
      platform: 'node',
    }),
  ]);
};

/** A gateway that serves the test's page and runs the notes behind it. */
export const startNotes = async (): Promise<RunningGateway> => {
  const folder = mkdtempSync(join(tmpdir(), 'casement-ports-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    await buildPage(folder);
    const gateway = await startGateway({
      port: 0,
      pageDir: join(folder, 'page'),
      stateDir: join(folder, 'state'),
      servers: [
        {
          name: 'notes',
          kind: 'stdio',
          command: process.execPath,
          args: [join(folder, 'notes-stdio.mjs')],
          inheritEnv: false,
        },
      ],
    });
    await gateway.settled();
    return { ...gateway, close: () => gateway.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
};
