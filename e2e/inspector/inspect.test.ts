import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { servers } from './servers.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

let inspector: InspectorPage;

useCasement({ react: servers.react, debug: servers.debug });

beforeAll(async () => {
  inspector = await openInspector(browser, casement.url, {
    server: 'react',
    tool: 'get-time',
    args: {},
    run: true,
  });
  await inspector.stage.reaches('ready');
});

const textOf = (section: string | RegExp) => async () =>
  (await inspector.section(section).innerText()).replaceAll(/\s+/g, ' ');

describe('the State tab', () => {
  beforeAll(() => inspector.tab('State').click());

  test('says how far the session is', async () => {
    const stages = inspector.panel.getByRole('list', { name: 'Stages' }).getByRole('listitem');
    await eventually(() => stages.count()).toBe(8);
    for (const name of ['Found', 'Advertised', 'Read', 'Framed', 'Loaded', 'Handshake', 'Fed', 'Painted'])
      await eventually(() => stages.filter({ hasText: name }).first().innerText()).toMatch(
        new RegExp(`^\\S\\s+${name}\\s+passed`),
      );
    expect(await textOf('Session')()).toContain('Status ready');
  });

  test('lists what host, app and server said they can do', async () => {
    const text = await textOf('Capabilities')();
    expect(text).toMatch(/Host told to the app.*serverTools/);
    expect(text).toMatch(/App told to the host/);
    expect(text).toMatch(/Server .*revision \d{4}-\d\d-\d\d.*tools/);
  });

  test('shows the context as it stands after a change', async () => {
    const theme = inspector.toolbar.getByRole('combobox', { name: 'Theme', exact: true });
    await theme.selectOption('dark');
    await eventually(textOf('Host context sent')).toMatch(/theme dark/);
    await theme.selectOption('light');
    await eventually(textOf('Host context sent')).toMatch(/theme light/);
    expect(await textOf('Host context sent')()).toMatch(/locale en-GB.*timeZone|timeZone.*locale en-GB/);
  });

  test('shows whose origin the app has and which flags its frame', async () => {
    const { address } = (await inspector.stage.snapshot()) ?? {};
    const text = await textOf('Origins and frame flags')();
    expect(text).toContain(`App origin ${address?.appOrigin}`);
    expect(text).toContain(`Proxy origin ${address?.proxyOrigin}`);
    expect(text).toMatch(/sandbox allow-scripts/);
    expect(text).toContain('Fallback none');
    expect(address?.appOrigin).not.toBe(new URL(inspector.page.url()).origin);
  });

  test('names the resource, its size and where its metadata came from', async () => {
    const text = await textOf('Resource')();
    expect(text).toContain('ui://get-time/mcp-app.html');
    expect(text).toMatch(/Size [\d.]+ [KM]B/);
    expect(text).toMatch(/SHA-256 [0-9a-f]{64}/);
    expect(text).toMatch(/_meta\.ui\.csp (not declared|the content item|resources\/list)/);
  });
});

describe('the Security tab', () => {
  beforeAll(() => inspector.tab('Security').click());

  test('shows what is declared, in force and observed, and the header itself', async () => {
    const text = await textOf('Policy')();
    expect(text).toMatch(/connectDomains.*Declared.*Effective.*Observed Nothing blocked/);
    const header = inspector.panel.getByRole('group', { name: 'Content-Security-Policy' });
    expect(await header.innerText()).toBe(
      (await inspector.stage.snapshot())?.policy?.csp.replaceAll('; ', ';\n'),
    );
  });

  test('for what no metadata can allow it says what to do instead', async () => {
    // The library that checks messages in this app tries whether it may use eval, and does without.
    await eventually(textOf('Tried, and done without')).toMatch(
      /script-src blocked eval .*Instead: Build without them/,
    );
  });

  test('a load that is blocked is shown with its witnesses and the line that would allow it', async () => {
    await (await inspector.stage.app()).evaluate(() => fetch('https://api.example.com/data').catch(() => 0));
    await eventually(textOf(/^Violations/)).toContain('connect-src blocked https://api.example.com');
    await eventually(textOf(/^Violations/)).toMatch(/browser report 1×/);
    expect(await textOf(/^Violations/)()).toContain(
      '"_meta": { "ui": { "csp": { "connectDomains": ["https://api.example.com"] } } }',
    );
    expect(await textOf('Policy')()).toMatch(/Observed https:\/\/api\.example\.com blocked, 1×/);
  });

  test('the note under the stage leads to it', async () => {
    await inspector.tab('Timeline').click();
    const stage = inspector.page.getByRole('region', { name: 'Stage' });
    await stage.getByRole('button', { name: /^Show security: The policy blocked/ }).press('Enter');
    await eventually(() => inspector.tab('Security').getAttribute('aria-selected')).toBe('true');
  });
});
