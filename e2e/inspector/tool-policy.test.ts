import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { writePdf } from '../support/pdf-file.js';
import { pdfServer, publishedServers } from '../support/server-commands.js';
import { expectTold, startReading } from '../support/told.js';
import { openChat, type ChatView } from './chat-support.js';
import { openInspector, type InspectorPage } from './support.js';
import { browser, casement, useCasement } from '../support/use-casement.js';

const script = join(import.meta.dirname, '..', 'fixtures', 'policy-server.mjs');
let file: string;
let inspector: InspectorPage | undefined;

useCasement((folder) => {
  file = writePdf(folder, 'report.pdf', ['One page', 'Another page']);
  return {
    bank: [process.execPath, script, 'bank'],
    react: publishedServers.basicReact,
    debug: publishedServers.debug,
    monitor: publishedServers.monitor,
    pdf: pdfServer(file),
  };
});

afterEach(async () => {
  await inspector?.close();
  inspector = undefined;
});

const open = async (
  server: string,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<InspectorPage> => {
  inspector = await openInspector(browser, casement.url, { server, tool, args, run: true });
  await inspector.stage.reaches('ready');
  return inspector;
};

/** The app of the bank, and what a person does and sees around it. */
const openBank = async () => {
  const view = await open('bank', 'show');
  const dialog = view.page.getByRole('dialog');
  const app = await view.stage.app();
  return {
    view,
    dialog,
    call: (tool: string) => app.getByRole('button', { name: tool, exact: true }).click(),
    readAnswer: () => app.locator('#answer').innerText(),
    answer: (name: string) => dialog.locator('button:not([aria-disabled="true"])', { hasText: name }).click(),
    readDecisions: async () =>
      (await view.stage.recording()).flatMap(({ kind, raw }) => (kind === 'decision' ? [raw] : [])),
  };
};

describe('sec-W1 an app that calls a tool of its own server', () => {
  test('is asked about where it may destroy; a no is an error for the app, and is not asked again', async () => {
    const { view, dialog, call, answer, readAnswer, readDecisions } = await openBank();
    await startReading(view.page);
    await call('wipe');
    await expectTold(
      view.page,
      'page',
      ['Wipe the disk (wipe)', 'The server says: this may destroy data.'],
      ({ leg, dir, kind, t }) => (leg === 'app' && dir === 'in' && kind === 'request' ? t : undefined),
    );
    const text = await dialog.innerText();
    for (const shown of ['bank', 'The server says: this may destroy data.', '"path": "/"', '"force": true'])
      expect(text).toContain(shown);
    await answer('Cancel');
    await eventually(readAnswer).toContain('"code":-32000');
    expect(await readAnswer()).toContain('tool-call-denied');
    await call('wipe');
    await eventually(async () => JSON.stringify(await readDecisions())).toContain('not asked again');
    expect(await dialog.count()).toBe(0);
    // Nothing was executed but what the page itself ran.
    await call('read');
    await eventually(readAnswer).toContain('executed: show read');
  });

  test('runs after a yes, and after always without a question until that is taken back', async () => {
    const { view, dialog, call, answer, readAnswer } = await openBank();
    await call('change');
    await eventually(() => dialog.innerText()).toContain('this changes things');
    await answer('Call it');
    await eventually(readAnswer).toContain('"tool":"change","result"');
    await call('wipe');
    await dialog.getByRole('checkbox').check();
    await answer('Call it');
    await eventually(readAnswer).toContain('"tool":"wipe","result"');
    await call('read');
    await eventually(readAnswer).toContain('"tool":"read"');
    await call('wipe');
    await eventually(readAnswer).toContain('"tool":"wipe","result"');
    expect(await dialog.count()).toBe(0);

    await view.tab('Security').click();
    const remembered = view.section(/^Remembered choices/);
    await eventually(() => remembered.innerText()).toContain('Apps of bank may call wipe without asking');
    await remembered.getByRole('button', { name: 'Take back: bank may call wipe' }).click();
    await call('wipe');
    await dialog.waitFor();
    await answer('Cancel');
  });

  test('runs where nothing is said of the tool, which is a finding', async () => {
    const { view, dialog, call, readAnswer } = await openBank();
    for (const tool of ['transfer_money', 'add', 'transfer_money']) {
      await call(tool);
      await eventually(readAnswer).toContain(`"tool":"${tool}","result"`);
    }
    expect(await dialog.count()).toBe(0);
    await view.tab('State').click();
    // It works here, and hosts differ: a remark.
    const findings = view.section(/^Remarks/);
    await eventually(() => findings.innerText()).toContain('not annotated');
    expect((await findings.innerText()).split('tool-unannotated')).toHaveLength(2);
  });

  test('is what the Security tab says', async () => {
    const { view, dialog, call, answer, readAnswer } = await openBank();
    // Each kind of annotation, and whether its call is asked about.
    for (const [tool, isAsked] of [
      ['wipe', true],
      ['change', true],
      ['contradict', true],
      ['add', false],
      ['read', false],
      ['transfer_money', false],
    ] as const) {
      await call(tool);
      if (isAsked) {
        await dialog.waitFor();
        await answer('Call it');
      }
      await eventually(readAnswer).toContain(`"tool":"${tool}","result"`);
      expect(await dialog.count()).toBe(0);
    }
    await view.tab('Security').click();
    const text = await view.section('Calls of tools').innerText();
    for (const rule of [
      'a tool that does not say readOnlyHint: true is asked about',
      'destructiveHint: true, or readOnlyHint: false without destructiveHint: false',
      'runs, is recorded, and is a finding',
      'Where they contradict each other or cannot be read, the stricter reading counts.',
      'What was answered for always holds without a question, and after a no the same call of the same app is refused without one.',
    ])
      expect(text).toContain(rule);
  });
});

describe('sec-W1 the published app', () => {
  /** Every call of the app was allowed, and no dialog came. */
  const expectQuiet = async (view: InspectorPage, atLeast: number): Promise<void> => {
    await eventually(() => view.stage.count('app', 'in', 'tools/call')).toBeGreaterThanOrEqual(atLeast);
    const decisions = (await view.stage.recording()).filter(({ kind }) => kind === 'decision');
    expect(JSON.stringify(decisions)).not.toContain('"allow":false');
    expect(await view.page.getByRole('dialog').count()).toBe(0);
  };

  test('of basic-react raises no question', async () => {
    const view = await open('react', 'get-time');
    await (await view.stage.app()).getByRole('button', { name: 'Get Server Time' }).click();
    await expectQuiet(view, 1);
  });

  test('of system-monitor raises no question', async () => {
    const view = await open('monitor', 'get-system-info');
    await expectQuiet(view, 2);
  });

  test('of debug raises no question', async () => {
    const view = await open('debug', 'debug-tool', { contentType: 'text', includeStructuredContent: true });
    await (await view.stage.app()).locator('#call-debug-refresh-btn').click();
    await expectQuiet(view, 1);
  });

  test('of pdf raises no question', async () => {
    const view = await open('pdf', 'display_pdf', { url: file });
    await expectQuiet(view, 1);
  });
});

describe('sec-W1 the model in the chat', () => {
  let chat: ChatView;
  beforeAll(async () => {
    chat = await openChat(browser, casement.url, {}, {}, { asks: true });
  });
  afterAll(() => chat?.close());

  const question = () => chat.chat.locator('.casement-question');
  const send = async (text: string): Promise<void> => {
    await chat.composer.fill(text);
    await chat.chat.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const readRecording = async () => JSON.stringify(await chat.stage.recording());

  test('is asked about a tool that says nothing, with all of its arguments', async () => {
    await send('/transfer_money {"to":"evil","amount":100}');
    await eventually(() => question().innerText()).toContain('transfer_money');
    const text = await question().innerText();
    expect(text).toContain('The server does not say what this tool does.');
    expect(text).toContain('"amount": 100');
    await question().locator('button:not([aria-disabled="true"])', { hasText: 'Deny' }).click();
    await chat.settled();
    expect(await readRecording()).not.toContain('executed: transfer_money');
  });

  test('calls what only reads without a question', async () => {
    await chat.say('/read {}');
    expect(await question().count()).toBe(0);
  });

  test('calls everything without a question while the switch is on, which is said and recorded', async () => {
    const toggle = chat.bar.getByLabel('Run tools without asking');
    expect(await toggle.isChecked()).toBe(false);
    await toggle.check();
    await eventually(() => chat.chat.locator('.casement-unasked').innerText()).toContain(
      'without a question',
    );
    await chat.say('/transfer_money {"to":"me"}');
    expect(await question().count()).toBe(0);
    await eventually(readRecording).toContain('"type":"tool-calls","toolCalls":"run"');
    await chat.chat.getByRole('button', { name: 'Ask before calls' }).click();
    await eventually(() => toggle.isChecked()).toBe(false);
    await send('/wipe {}');
    await eventually(() => question().innerText()).toContain('Wipe the disk (wipe)');
    await question().locator('button:not([aria-disabled="true"])', { hasText: 'Deny' }).click();
    await chat.settled();
  });
});
