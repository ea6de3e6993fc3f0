import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../test/verifies.js';
import { createConsentMemory } from './consent/consent-memory.js';
import type { ConsentAnswer, DownloadRequest, SessionOptions } from './session-options.js';
import { createStage } from './stage.test-support.js';

const file = (uri: string, extra: Record<string, unknown> = { text: 'x' }) => ({
  type: 'resource',
  resource: { uri, ...extra },
});
const link = (uri: string) => ({ type: 'resource_link', uri, name: 'report' });

const createDownloads = async (answer: ConsentAnswer = true, options: Partial<SessionOptions> = {}) => {
  const asked: DownloadRequest[] = [];
  const stage = createStage({
    consents: createConsentMemory(),
    async onDownload(request) {
      asked.push(request);
      return answer;
    },
    ...options,
  });
  await stage.ready();
  let id = 0;
  const download = (...contents: unknown[]) => stage.ask(`d${(id += 1)}`, 'ui/download-file', { contents });
  return { stage, asked, download, saved: stage.surface.saved, links: stage.surface.links };
};

/** The names a list of URIs is saved under. */
const toNames = async (uris: readonly string[]): Promise<string[]> => {
  const names: string[] = [];
  for (let start = 0; start < uris.length; start += 20) {
    const { download, saved } = await createDownloads();
    await download(...uris.slice(start, start + 20).map((uri) => file(uri)));
    names.push(...saved.map(({ name }) => name));
  }
  return names;
};

describe('ui/download-file', () => {
  verifies(
    ['HOST-084', 'HOST-085'],
    'saves what the user agreed to, under the last name of the URI',
    async () => {
      const { asked, download, saved } = await createDownloads();
      const answer = await download(
        file('file:///reports/Umsatz%202026.csv', { text: 'ä;1', mimeType: 'text/csv' }),
        file('pdf://files/report.pdf?page=2#top', { blob: 'JVBERg==', mimeType: 'application/pdf' }),
        file('notes', { text: '', mimeType: '"><script>' }),
      );
      expect(answer.result).toEqual({});
      expect(asked).toEqual([
        {
          server: 'weather-server',
          links: [],
          files: [
            { name: 'Umsatz 2026.csv', mimeType: 'text/csv', bytes: 4 },
            { name: 'report.pdf', mimeType: 'application/pdf', bytes: 4 },
            { name: 'notes', mimeType: 'application/octet-stream', bytes: 0 },
          ],
        },
      ]);
      expect(saved.map(({ content }) => new TextDecoder().decode(content))).toEqual(['ä;1', '%PDF', '']);
    },
  );

  verifies(['HOST-084', 'HOST-087'], 'saves nothing before the user agreed, nor after a no', async () => {
    let answer = (_yes: ConsentAnswer): void => undefined;
    const { stage, saved } = await createDownloads(false, {
      onDownload: () => new Promise((resolve) => (answer = resolve)),
    });
    await stage.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'ui/download-file',
      params: { contents: [file('file:///a.txt')] },
    });
    expect(saved).toEqual([]);
    answer(false);
    expect((await stage.ask(2, 'ping')).result).toEqual({});
    expect(stage.received.find(({ id }) => id === 1)?.result).toEqual({ isError: true });
    expect(saved).toEqual([]);
    expect(stage.kinds('decision')).toContainEqual(expect.objectContaining({ code: 'download-denied' }));
  });

  verifies('HOST-086', 'gives no file a name that leads elsewhere or hides what it is (E12)', async () => {
    const expected: Record<string, string> = {
      'file:///../../.bashrc': 'bashrc',
      'file:///a/..%2f..%2f..%2fetc%2fpasswd': 'passwd',
      'file:///a/..%5C..%5Cwindows%5Csystem.ini': 'system.ini.txt',
      'file:///..': 'download',
      'file:///%2e%2e': 'download',
      'file:///%252e%252e%252fx': '_2e_2e_2fx',
      '': 'download',
      'file:///': 'download',
      'C:\\temp\\a.txt': 'a.txt',
      'file:///a.txt%E2%80%AEexe': 'a.txtexe.txt',
      'file:///a%E2%80%8B%EF%BB%BF.txt': 'a.txt',
      'file:///a%00.txt%0d%0a': 'a.txt',
      'file:///%ff.txt': '_ff.txt',
      'file:///a%3Cb%3E%3A%22%7C%3F%2A.txt': 'a_b______.txt',
      'file:///.desktop': 'desktop',
      'file:///app.desktop': 'app.desktop.txt',
      'file:///app.DESKTOP%20.': 'app.DESKTOP.txt',
      'file:///doc.pdf.lnk': 'doc.pdf.lnk.txt',
      'file:///setup.exe': 'setup.exe.txt',
      'file:///CON': '_CON',
      'file:///nul.txt': '_nul.txt',
      'file:///com1.tar.gz': '_com1.tar.gz',
      'file:///console.txt': 'console.txt',
      'file:///trailing.%20.': 'trailing',
      'file:///Gr%C3%BC%C3%9Fe%20%E2%98%80.txt': 'Grüße ☀.txt',
      'file:///data.tar.gz': 'data.tar.gz',
    };
    expect(await toNames(Object.keys(expected))).toEqual(Object.values(expected));
    const [long, wide] = await toNames([
      `file:///${'x'.repeat(5000)}.pdf`,
      `file:///${'☀'.repeat(500)}.tar.gz`,
    ]);
    expect(long).toMatch(/^x{196}\.pdf$/);
    expect(wide).toMatch(/^☀{64}\.tar\.gz$/);
  });

  test('opens links like any other link and fetches nothing (T17)', async () => {
    const { asked, download, links, saved } = await createDownloads();
    await download(
      link('https://EXAMPLE.com/report.pdf'),
      file('file:///a.txt'),
      link('http://192.168.0.2/x'),
    );
    expect(asked[0]?.links).toEqual([
      { url: 'https://example.com/report.pdf', host: 'example.com', server: 'weather-server', warnings: [] },
      {
        url: 'http://192.168.0.2/x',
        host: '192.168.0.2',
        server: 'weather-server',
        warnings: ['private-address'],
      },
    ]);
    expect(links).toEqual(['https://example.com/report.pdf', 'http://192.168.0.2/x']);
    expect(saved).toHaveLength(1);
  });

  verifies('HOST-087', 'refuses all when one link may not be opened (E12)', async () => {
    const { asked, download, links, saved } = await createDownloads();
    for (const uri of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'ui://weather/data',
      'http://localhost:6270/api',
      'https://u:p@example.com',
      '/relative',
      'mailto:ann@example.com',
    ]) {
      const { error } = await download(file('file:///a.txt'), link(uri));
      expect([uri, error?.code]).toEqual([uri, -32000]);
    }
    expect([asked, links, saved]).toEqual([[], [], []]);
  });

  verifies(
    'HOST-087',
    'refuses what is empty, too much or not what it says, without a question',
    async () => {
      const { stage, asked, download, saved } = await createDownloads(true, {
        limits: { maxDownloadBytes: 1000 },
      });
      const refused = [
        [],
        Array.from({ length: 21 }, (_, index) => file(`file:///${index}`)),
        Array.from({ length: 6 }, (_, index) => link(`https://example.com/${index}`)),
        [file('file:///a', { text: 'x'.repeat(1001) })],
        [file('file:///a', { text: 'ä'.repeat(600) })],
        [file('file:///a', { text: 'x'.repeat(600) }), file('file:///b', { text: 'x'.repeat(600) })],
        [file('file:///a', { blob: 'QUFB'.repeat(400) })],
        [file('file:///a', { blob: '***' })],
        [file('file:///a', { blob: 'A' })],
      ];
      for (const [index, contents] of refused.entries()) {
        const { error } = await download(...contents);
        expect([index, error?.code, error?.data?.code]).toEqual([index, -32000, 'download-invalid']);
      }
      for (const [index, contents] of [
        null,
        'file:///a',
        [{ type: 'text', text: 'x' }],
        [{ type: 'resource', resource: { uri: 'file:///a' } }],
        [file(7 as unknown as string)],
        [{ type: 'resource_link', uri: 'https://example.com' }],
      ].entries()) {
        expect(await stage.ask(`bad-${index}`, 'ui/download-file', { contents })).toHaveProperty(
          'error.code',
          -32602,
        );
      }
      expect([asked, saved]).toEqual([[], []]);
      expect((await download(file('file:///a', { blob: 'QUFB'.repeat(333) }))).result).toEqual({});
    },
  );

  test('answered "always" saves files without asking just after the user did something, links never', async () => {
    const { stage, asked, download, saved } = await createDownloads('always');
    await download(file('file:///1'));
    await download(file('file:///2'));
    expect([asked.length, saved.length]).toEqual([1, 2]);
    await download(link('https://example.com/a'));
    expect(asked).toHaveLength(2);
    stage.surface.isActive = false;
    await download(file('file:///3'));
    expect(asked).toHaveLength(3);
  });
});

test('a link among downloads is opened as a link after a yes; the host fetches nothing, and a link it may not open is refused', async () => {
  const { stage, saved } = await createDownloads(true);
  const reads = stage.server.reads.length;
  const { result } = await stage.ask(1, 'ui/download-file', {
    contents: [link('https://example.com/report.pdf')],
  });
  expect(result).toEqual({});
  expect([stage.surface.links, saved, stage.server.reads.length]).toEqual([
    ['https://example.com/report.pdf'],
    [],
    reads,
  ]);
  // An address of the server's own, which a host could only fetch, is none a browser opens.
  const { error } = await stage.ask(2, 'ui/download-file', { contents: [link('files://report/1')] });
  expect(error?.data).toEqual({ code: 'link-refused', hint: expect.any(String) });
  expect(stage.server.reads).toHaveLength(reads);
});
