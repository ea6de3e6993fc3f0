import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { openStage, type Stage } from '../../support/stage.js';
import { browser, casement, useCasement } from '../../support/use-casement.js';

const server = join(import.meta.dirname, 'page-server.mjs');

useCasement(['--', process.execPath, server, 'https://maps.example/one']);

const question = ({ page }: Stage) => page.getByRole('dialog', { name: 'Show this page as the app?' });

const ask = async (): Promise<{ stage: Stage; asked: string[] }> => {
  const stage = await openStage(browser, casement.url, { tool: 'page', args: {}, run: true });
  const asked: string[] = [];
  stage.page.on('request', (request) => asked.push(request.url()));
  await question(stage).waitFor();
  return { stage, asked };
};

const toSite = (asked: readonly string[]) => asked.filter((url) => url.startsWith('https://maps.example/'));

test('the inspector asks about a page elsewhere in words of its own, and after a no does not load it', async () => {
  const { stage, asked } = await ask();
  const words = await question(stage).textContent();
  expect(words).toContain('maps.example');
  expect(words).toContain('https://maps.example/one');
  expect(words).toContain('learns that you look at it');
  // Nothing of the server stands between such a page and the user: each one is asked about.
  expect(await question(stage).getByRole('checkbox').count()).toBe(0);
  await stage.page.keyboard.press('Escape');
  await eventually(() => stage.failure()).toBe('external-refused');
  expect(toSite(asked)).toEqual([]);
  await stage.close();
});

test('after a yes it is the app', async () => {
  const { stage, asked } = await ask();
  const allow = question(stage).getByRole('button', { name: 'Show it' });
  // The first half second takes no answer.
  await eventually(() => allow.getAttribute('aria-disabled')).toBe('false');
  await allow.click();
  await eventually(() => toSite(asked)).toEqual(['https://maps.example/one']);
  expect((await stage.snapshot())?.policy?.effective.frame).toEqual(['https://maps.example']);
  await stage.close();
});
