import { describe, expect, test } from 'vitest';
import { createOpenaiApi } from './openai-api.js';
import type { Introduction } from '../host-line.js';
import {
  createScriptedHost,
  introduction,
  outcomeOf,
  settled,
  surroundings,
} from '../host-line.test-support.js';

/** `window.openai` as a widget calls it; which methods are there is the host's to decide. */
interface Openai extends Readonly<Record<string, unknown>> {
  callTool(name: string, args?: unknown): Promise<unknown>;
  sendFollowUpMessage(message: unknown): Promise<unknown>;
  sendFollowupTurn(message: unknown): Promise<unknown>;
  openExternal(link: unknown): unknown;
  setWidgetState(state: unknown): Promise<unknown>;
  requestModal(modal?: object): Promise<unknown>;
  requestDisplayMode(mode?: object): Promise<unknown>;
  requestClose(): Promise<unknown>;
  notifyIntrinsicHeight(height: unknown): void;
}

/** A widget's `window.openai`, the events it heard, and the host at the other end. */
const createWidget = (host: Introduction = introduction) => {
  const scripted = createScriptedHost();
  const heard: { name: string; detail: unknown }[] = [];
  const api = createOpenaiApi({
    line: scripted.line,
    host,
    device: { hover: true, touch: false },
    told: {},
    dispatch: (name, detail) => void heard.push({ name, detail }),
  });
  return {
    ...scripted,
    // Typed as object: what is there depends on the host, and this one has everything.
    openai: api.openai as Openai,
    tell: (name: string, params: object) => api.hear(`ui/notifications/${name}`, { ...params }),
    /** What each `openai:set_globals` said, oldest first. */
    changes: () =>
      heard
        .filter(({ name }) => name === 'openai:set_globals')
        .map(({ detail }) => (detail as { globals: Record<string, unknown> }).globals),
    responses: () => heard.filter(({ name }) => name === 'openai:tool_response').map(({ detail }) => detail),
  };
};

const input = { arguments: { city: 'Bern' } };
const result = { content: [], structuredContent: { degrees: 21 }, _meta: { secret: 'for the widget' } };

test('news of tool and surroundings come as openai:set_globals with what changed', () => {
  const { tell, changes, openai } = createWidget();
  tell('tool-input-partial', { arguments: { city: 'Be' } });
  tell('tool-input', input);
  tell('tool-result', result);
  tell('host-context-changed', { theme: 'light', locale: 'de-CH' });
  tell('host-context-changed', { displayMode: 'pip', containerDimensions: { height: 300 } });
  tell('host-context-changed', { 'casement/view': { mode: 'modal', params: { id: 7 } } });
  tell('host-context-changed', { 'casement/widgetState': { picked: 2 } });
  expect(changes()).toEqual([
    { toolInput: { city: 'Be' } },
    { toolInput: { city: 'Bern' } },
    { toolOutput: { degrees: 21 }, toolResponseMetadata: { secret: 'for the widget' } },
    { theme: 'light' },
    { displayMode: 'pip', maxHeight: 300, view: { mode: 'pip' } },
    { view: { mode: 'modal', params: { id: 7 } } },
    { widgetState: { picked: 2 } },
  ]);
  expect(openai).toMatchObject({
    toolOutput: { degrees: 21 },
    theme: 'light',
    displayMode: 'pip',
    widgetState: { picked: 2 },
  });
});

test('widget state is there at once, kept by the host, and restored', async () => {
  const context = { ...surroundings, 'casement/widgetState': { old: true } };
  const { openai, changes, sent, answer } = createWidget({ ...introduction, context });
  expect(openai['widgetState']).toEqual({ old: true });
  const state = { modelContent: { picked: 'A' }, privateContent: { at: 3 }, imageIds: [] };
  const set = outcomeOf(openai.setWidgetState(state));
  expect(openai['widgetState']).toEqual(state);
  // Not while the widget is in the middle of a call that draws.
  expect(changes()).toEqual([]);
  await settled();
  expect(changes()).toEqual([{ widgetState: state }]);
  expect(sent('ui/update-model-context')).toEqual([]);
  expect(await answer('casement/widget-state')).toEqual({ state });
  // Of the three parts only the model's own goes to the model.
  expect(await answer('ui/update-model-context')).toEqual({ structuredContent: { picked: 'A' } });
  expect(await set).toEqual({ value: undefined });
});

test('a state the host refuses is refused to the widget by name, and the model hears nothing of it', async () => {
  const { openai, refuse, answer, sent } = createWidget();
  const set = outcomeOf(openai.setWidgetState({ modelContent: 'x', huge: 'y'.repeat(300_000) }));
  const plain = outcomeOf(openai.setWidgetState({ count: 1 }));
  await refuse('casement/widget-state', 'The widget state is larger than 256 KiB.');
  expect(await set).toEqual({ error: 'The widget state is larger than 256 KiB.' });
  await answer('casement/widget-state', {}, 1);
  // Of the state that was kept instead it hears.
  expect(await answer('ui/update-model-context')).toEqual({ structuredContent: { count: 1 } });
  expect(await plain).toEqual({ value: undefined });
  expect(sent('ui/update-model-context')).toHaveLength(1);
});

test('model content may be text, and may be taken back', async () => {
  const { openai, answer } = createWidget();
  const first = openai.setWidgetState({ modelContent: 'Two picked' });
  await answer('casement/widget-state');
  expect(await answer('ui/update-model-context')).toEqual({
    content: [{ type: 'text', text: 'Two picked' }],
  });
  await first;
  const second = openai.setWidgetState({ modelContent: null });
  await answer('casement/widget-state', {}, 1);
  expect(await answer('ui/update-model-context', {}, 1)).toEqual({});
  await second;
});

describe('the model', () => {
  /** Sets states one after the other, as a widget that waits for each. */
  const tell = (...states: readonly unknown[]) => {
    const widget = createWidget();
    const set = async (): Promise<void> => {
      for (const state of states) await widget.openai.setWidgetState(state);
    };
    return { ...widget, done: outcomeOf(set()) };
  };

  test('is shown the whole of a state without parts, once per change, and that it is gone', async () => {
    const { answer, sent, done } = tell({ picked: 2 }, { picked: 2 }, 'Two picked', null, null);
    await answer('casement/widget-state');
    expect(await answer('ui/update-model-context')).toEqual({ structuredContent: { picked: 2 } });
    await answer('casement/widget-state', {}, 1);
    await answer('casement/widget-state', {}, 2);
    const text = { content: [{ type: 'text', text: 'Two picked' }] };
    expect(await answer('ui/update-model-context', {}, 1)).toEqual(text);
    await answer('casement/widget-state', {}, 3);
    expect(await answer('ui/update-model-context', {}, 2)).toEqual({});
    await answer('casement/widget-state', {}, 4);
    expect(await done).toEqual({ value: undefined });
    expect(sent('ui/update-model-context')).toHaveLength(3);
  });

  test('is shown nothing of a private part, and no longer what a later state leaves out', async () => {
    const { answer, sent, done } = tell(
      { privateContent: 1 },
      { modelContent: { a: 1 } },
      { privateContent: 2 },
    );
    await answer('casement/widget-state');
    await answer('casement/widget-state', {}, 1);
    expect(await answer('ui/update-model-context')).toEqual({ structuredContent: { a: 1 } });
    await answer('casement/widget-state', {}, 2);
    expect(await answer('ui/update-model-context', {}, 1)).toEqual({});
    expect(await done).toEqual({ value: undefined });
    expect(sent('ui/update-model-context')).toHaveLength(2);
  });

  test('may be kept from it by the host: the state is kept all the same', async () => {
    const { answer, refuse, done } = tell({ picked: 2 });
    await answer('casement/widget-state');
    await refuse('ui/update-model-context', 'Too large');
    expect(await done).toEqual({ value: undefined });
  });

  test('hears of a state the host hands over, from the widget that has it now', async () => {
    const { tell: hear, openai, answer, changes } = createWidget();
    const hand = (state: object) => hear('host-context-changed', { 'casement/widgetState': state });
    hand({ other: 1 });
    expect(await answer('ui/update-model-context')).toEqual({ structuredContent: { other: 1 } });
    const back = outcomeOf(openai.setWidgetState({ own: 2 }));
    await answer('casement/widget-state');
    expect(await answer('ui/update-model-context', {}, 1)).toEqual({ structuredContent: { own: 2 } });
    expect(await back).toEqual({ value: undefined });
    // What it was handed before is news again, since it has set another itself.
    hand({ other: 1 });
    expect(await answer('ui/update-model-context', {}, 2)).toEqual({ structuredContent: { other: 1 } });
    expect(changes().map(({ widgetState }) => widgetState)).toEqual([{ other: 1 }, { own: 2 }, { other: 1 }]);
  });
});

test('callTool is tools/call, and its answer is an event besides', async () => {
  const { openai, answer, refuse, responses, sent } = createWidget();
  const called = outcomeOf(openai.callTool('refresh', { city: 'Bern' }));
  const bare = outcomeOf(openai.callTool('plain'));
  const refused = outcomeOf(openai.callTool('hidden', null));
  const odd = outcomeOf(openai.callTool('odd', { at: () => 0 }));
  const outcome = { content: [{ type: 'text', text: 'ok' }], structuredContent: { degrees: 22 } };
  expect(await answer('tools/call', outcome)).toEqual({ name: 'refresh', arguments: { city: 'Bern' } });
  expect(await answer('tools/call', { content: [], isError: true }, 1)).toEqual({
    name: 'plain',
    arguments: {},
  });
  expect(await refuse('tools/call', 'Tool is not visible to apps', 2)).toEqual({
    name: 'hidden',
    arguments: {},
  });
  expect(await called).toEqual({ value: { ...outcome, result: 'ok' } });
  const tool = { name: 'refresh', args: { city: 'Bern' } };
  expect(responses()[0]).toEqual({ tool, ...tool, result: { ...outcome, result: 'ok' } });
  expect(await bare).toEqual({ value: { content: [], isError: true, result: '' } });
  expect(await refused).toEqual({ error: 'Tool is not visible to apps' });
  expect(await odd).toMatchObject({ error: expect.stringContaining('could not be cloned') });
  expect(sent('tools/call')).toHaveLength(3);
  expect(responses()).toHaveLength(2);
});

test('a tool whose answer says so closes the widget that called it', async () => {
  const { openai, answer, sent } = createWidget();
  const plain = openai.callTool('plain');
  const last = openai.callTool('submit');
  await answer('tools/call', { content: [], _meta: { 'openai/closeWidget': false } });
  await plain;
  expect(sent('ui/notifications/request-teardown')).toEqual([]);
  await answer('tools/call', { content: [], _meta: { 'openai/closeWidget': true } }, 1);
  await last;
  expect(sent('ui/notifications/request-teardown')).toHaveLength(1);
});

test('sendFollowUpMessage and its oldest name are ui/message; a no is a failed promise', async () => {
  const { openai, answer, sent } = createWidget();
  const first = outcomeOf(openai.sendFollowUpMessage({ prompt: 'More', scrollToBottom: false }));
  const turn = outcomeOf(openai.sendFollowupTurn({ prompt: 'Again' }));
  const odd = outcomeOf(openai.sendFollowUpMessage({}));
  const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });
  expect(await answer('ui/message')).toEqual(toMessage('More'));
  expect(await answer('ui/message', { isError: true }, 1)).toEqual(toMessage('Again'));
  expect(await first).toEqual({ value: undefined });
  expect(await turn).toEqual({ error: 'The user declined.' });
  expect(await odd).toEqual({ error: 'prompt must be a string.' });
  expect(sent('ui/message')).toHaveLength(2);
});

// A promise that nobody took would fail this file.
test('openExternal is ui/open-link and promises nothing, also for addresses the host refuses', async () => {
  const { openai, answer, refuse } = createWidget();
  expect(openai.openExternal({ href: 'https://example.com/', redirectUrl: false })).toBeUndefined();
  openai.openExternal({ href: 'javascript:alert(1)' });
  openai.openExternal({ href: 'file:///etc/passwd' });
  expect(await answer('ui/open-link')).toEqual({ url: 'https://example.com/' });
  expect(await refuse('ui/open-link', 'Policy violation', 1)).toEqual({ url: 'javascript:alert(1)' });
  expect(await refuse('ui/open-link', 'Policy violation', 2)).toEqual({ url: 'file:///etc/passwd' });
});

test('requestModal, requestDisplayMode and requestClose ask the host', async () => {
  const { openai, answer, sent } = createWidget();
  const modal = outcomeOf(
    openai.requestModal({ title: 'Pick', params: { id: 7 }, template: 'ui://w/pick', anchor: {} }),
  );
  const mode = outcomeOf(openai.requestDisplayMode({ mode: 'pip' }));
  const close = outcomeOf(openai.requestClose());
  expect(await answer('casement/modal')).toEqual({
    title: 'Pick',
    params: { id: 7 },
    template: 'ui://w/pick',
  });
  expect(await answer('ui/request-display-mode', { mode: 'fullscreen' })).toEqual({ mode: 'pip' });
  expect(await modal).toEqual({ value: {} });
  expect(await mode).toEqual({ value: { mode: 'fullscreen' } });
  expect(await close).toEqual({ value: undefined });
  expect(sent('ui/notifications/request-teardown')).toHaveLength(1);
});

test('methods the host has nothing for are undefined', () => {
  const names = (host: Introduction): string[] => {
    const { openai } = createWidget(host);
    for (const name of [
      'setOpenInAppUrl',
      'uploadFile',
      'selectFiles',
      'getFileDownloadUrl',
      'requestCheckout',
    ])
      expect(openai[name], name).toBeUndefined();
    return Object.keys(openai)
      .filter((name) => typeof openai[name] === 'function')
      .sort();
  };
  expect(names(introduction)).toEqual([
    'callTool',
    'notifyIntrinsicHeight',
    'openExternal',
    'requestClose',
    'requestDisplayMode',
    'requestModal',
    'sendFollowUpMessage',
    'sendFollowupTurn',
    'setWidgetState',
  ]);
  expect(names({ capabilities: {}, context: { availableDisplayModes: ['inline'] } })).toEqual([
    'notifyIntrinsicHeight',
    'requestClose',
  ]);
});
