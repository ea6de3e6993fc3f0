import { expect, test } from 'vitest';
import { createRecording } from '@casement/protocol/start';
import { createConsentStore } from '@casement/protocol/consents';
import type { ModelSummary } from '@casement/gateway';
import type { GatewayClient } from '../connection/gateway-client.js';
import { createStore } from '../store.js';
import { createViewSettings, parseViewState } from '../address/view-settings.js';
import { createChatRoom } from './chat-room.js';

const local = { id: 'local', label: 'Tiny', kind: 'openai-compatible' } as const;

const open = (model: string, models: () => Promise<readonly ModelSummary[]>) => {
  const settings = createViewSettings(parseViewState({ view: 'chat', model }));
  const client = {
    access: { url: 'http://gateway.test', token: 't' },
    models,
  } as unknown as GatewayClient; // the room asks for nothing else
  const ports = createStore([]);
  const findAppPlace = () => ({ sandbox: { base: 'http://sandbox.test' } });
  const own = { approvals: createConsentStore(), recording: createRecording({ writer: 'page' }) };
  const room = createChatRoom({ client, findAppPlace, ports, settings, ...own });
  return { room, settings };
};

test('the model of the address answers, before the list of models is there too', async () => {
  const { room } = open('local', () => Promise.resolve([local]));
  expect(room.getSnapshot().model).toBe('local');
  await expect.poll(() => room.getSnapshot().models).toEqual([local]);
  expect(room.getSnapshot()).toMatchObject({ model: 'local', modelProblem: '' });
});

test('a model the command line named is the one the chat begins with, until another is chosen', async () => {
  const other = { id: 'openai', label: 'Other', kind: 'openai-compatible' } as const;
  const { room, settings } = open('', () => Promise.resolve([{ ...local, isFirst: true }, other]));
  await expect.poll(() => room.getSnapshot().models).toHaveLength(2);
  expect(room.getSnapshot()).toMatchObject({ model: 'local', modelProblem: '' });
  room.chooseModel('');
  expect(room.getSnapshot()).toMatchObject({ model: '', modelProblem: '' });
  expect(settings.getSnapshot().model).toBe('scripted');
  room.chooseModel('openai');
  expect(room.getSnapshot().model).toBe('openai');
  room.chooseModel('local');
  expect(room.getSnapshot().model).toBe('local');
  expect(settings.getSnapshot().model).toBe('');
});

test('models that nobody named are offered, and the scripted one answers', async () => {
  const { room, settings } = open('', () => Promise.resolve([local]));
  await expect.poll(() => room.getSnapshot().models).toHaveLength(1);
  expect(room.getSnapshot().model).toBe('');
  room.chooseModel('local');
  room.chooseModel('');
  expect([room.getSnapshot().model, settings.getSnapshot().model]).toEqual(['', '']);
});

test('a model that is not there is said, and the scripted one answers', async () => {
  const { room, settings } = open('gone', () => Promise.resolve([local]));
  await expect.poll(() => room.getSnapshot().modelProblem).toContain('not there: gone');
  expect(room.getSnapshot().model).toBe('');
  settings.change({ model: 'local' });
  expect(room.getSnapshot()).toMatchObject({ model: 'local', modelProblem: '' });
});

test('models that cannot be listed are said, and the scripted one is there', async () => {
  const { room } = open('', () => Promise.reject(new Error('the gateway is gone')));
  await expect.poll(() => room.getSnapshot().modelProblem).toContain('the gateway is gone');
  await room.getSnapshot().conversation.send('hello');
  expect(room.getSnapshot().conversation.getSnapshot().messages.at(-1)?.role).toBe('assistant');
});

test('a new conversation closes the one before and keeps the model', () => {
  const { room } = open('', () => Promise.resolve([]));
  const { conversation, number } = room.getSnapshot();
  room.setDraft('half');
  room.startAnew();
  expect(room.getSnapshot()).toMatchObject({ number: number + 1, draft: '' });
  expect(room.getSnapshot().conversation).not.toBe(conversation);
  void conversation.send('too late');
  expect(conversation.getSnapshot().queued).toEqual([]);
});
