import { cities } from '../../../examples/weather-server/dist/cities.js';
import { toWeatherReport } from '../../../examples/weather-server/dist/weather-report.js';
import { styleVariableNames } from '@casement/protocol/start';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { startWorld, type World } from '../../support/world.js';
import { closeContexts, openBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { openWeather, type WeatherHost } from './weather-host.js';

type Params = Record<string, unknown>;

let browser: Browser;
let world: World;

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), startWorld()]);
});
afterAll(async () => {
  await closeContexts();
  await world?.close();
});

const reportOf = (name: string): Params => {
  const city = cities.find((known) => known.name === name);
  if (!city) throw new Error(`There is no city called ${name}.`);
  return { content: [], structuredContent: toWeatherReport(city, 'metric', 1) };
};

const inApp = async (
  context: Params,
  use: (host: WeatherHost) => Promise<void>,
  answers?: Params,
): Promise<void> => {
  const host = await openWeather(browser, world, context, answers);
  await use(host);
  expect(host.uncaught).toEqual([]);
  await host.page.close();
};

const partial = (host: WeatherHost, args: unknown): Promise<void> =>
  host.tell('ui/notifications/tool-input-partial', { arguments: args });
const input = (host: WeatherHost, city: string): Promise<void> =>
  host.tell('ui/notifications/tool-input', { arguments: { city } });
const result = (host: WeatherHost, params: Params): Promise<void> =>
  host.tell('ui/notifications/tool-result', params);

describe('the weather app', () => {
  verifies(
    'VIEW-008',
    'fills an axis the host has fixed and ends at the maximum of one it has not',
    async () => {
      const rootOf = ({ guest }: WeatherHost) =>
        guest.evaluate(() => {
          const { width, height } = document.documentElement.getBoundingClientRect();
          return { width, height };
        });
      const reported = async (host: WeatherHost) =>
        (await host.sent()).findLast(({ method }) => method === 'ui/notifications/size-changed')?.params;
      // The frame is 400 by 300 whatever is said, and the report is taller than that.
      const rooms: [Params, (height: number) => Params][] = [
        [{ width: 400, height: 300 }, () => ({ width: 400, height: 300 })],
        [{ width: 400, maxHeight: 250 }, () => ({ width: 400, height: 250 })],
        [{ maxWidth: 320, height: 300 }, () => ({ width: 320, height: 300 })],
        [{ maxWidth: 380, maxHeight: 5000 }, (content) => ({ width: 380, height: content })],
        [{}, (content) => ({ width: 400, height: content })],
      ];
      await inApp({ containerDimensions: rooms[0]?.[0] }, async (host) => {
        await result(host, reportOf('Kyoto'));
        await eventually(() => host.state()).toBe('shown');
        for (const [containerDimensions, toSize] of rooms) {
          await host.tell('ui/notifications/host-context-changed', { containerDimensions });
          const contentHeight = () => host.guest.evaluate(() => document.body.getBoundingClientRect().height);
          await eventually(async () => ({
            ...(await rootOf(host)),
            isTall: (await contentHeight()) > 300,
          })).toEqual({ ...toSize(await contentHeight()), isTall: true });
        }
        // A room that is limited is never asked to be more.
        await host.tell('ui/notifications/host-context-changed', { containerDimensions: { maxHeight: 260 } });
        await eventually(() => reported(host)).toMatchObject({ height: 260 });
      });
    },
  );

  verifies('VIEW-011', 'can be read in a host that sends no style at all', async () => {
    /** The contrast of two colours as the browser computes them. */
    const read = ({ guest }: WeatherHost) =>
      guest.evaluate(() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const luminance = (colour: string): number => {
          if (!canvas) return 0;
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const { color, backgroundColor, fontFamily } = getComputedStyle(document.body);
        const [light = 0, dark = 0] = [luminance(color), luminance(backgroundColor)].sort((a, b) => b - a);
        const styles = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('');
        return { contrast: (light + 0.05) / (dark + 0.05), backgroundColor, fontFamily, styles };
      });
    const grounds: string[] = [];
    for (const theme of ['light', 'dark'])
      await inApp({ theme }, async (host) => {
        const { contrast, backgroundColor, fontFamily, styles } = await read(host);
        expect(contrast).toBeGreaterThan(7);
        expect(backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
        expect(fontFamily).toContain('sans-serif');
        grounds.push(backgroundColor);
        const used = [...styles.matchAll(/var\((--[\w-]+)\s*(,?)/g)].filter(([, name = '']) =>
          styleVariableNames.some((known) => known === name),
        );
        expect(used.length).toBeGreaterThan(5);
        // Every one of them has a value of our own behind it.
        expect(used.filter(([, , comma]) => comma !== ',')).toEqual([]);
      });
    expect(new Set(grounds).size).toBe(2);
  });

  verifies('VIEW-012', 'ends the same with arguments as they are written and without', async () => {
    const pages: string[] = [];
    for (const parts of [[], [{}, { city: 'N' }, { city: 'Nairo' }, { city: 'Nairobi', units: 'met' }]])
      await inApp({ locale: 'en-GB' }, async (host) => {
        const place = () => host.guest.textContent('#place');
        for (const part of parts) await partial(host, part);
        if (parts.length > 0) await eventually(place).toBe('Nairobi');
        await input(host, 'Nairobi');
        await eventually(place).toBe('Nairobi');
        await result(host, reportOf('Nairobi'));
        await eventually(() => host.state()).toBe('shown');
        pages.push(await host.guest.evaluate(() => document.querySelector('main')?.outerHTML ?? ''));
      });
    expect(pages[0]).toContain('Nairobi');
    expect(pages[1]).toBe(pages[0]);
  });

  verifies('VIEW-013', 'acts on no argument that is not complete', async () => {
    await inApp({}, async (host) => {
      // Storage of any kind is watched at its door.
      await host.guest.evaluate(() => {
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
          Object.defineProperty(window, name, {
            get: () => void (document.documentElement.dataset['stored'] = name),
          });
      });
      const before = await host.methods();
      for (const city of ['delete', 'delete everything', 'Nairobi'])
        await partial(host, { city, units: 'imperial', confirm: true });
      await eventually(() => host.guest.textContent('#place')).toBe('Nairobi');
      await host.tell('ui/notifications/tool-cancelled', { reason: 'The person stopped it.' });
      await eventually(() => host.state()).toBe('stopped');
      expect(await host.methods()).toEqual(before);
      expect(await host.guest.evaluate(() => document.documentElement.dataset['stored'])).toBeUndefined();
      // What the person asks for next is what the picker says, not what the model had begun to write.
      await host.guest.click('#retry');
      await eventually(async () => (await host.methods()).length).toBe(before.length + 1);
      expect((await host.sent()).findLast(({ id }) => id !== undefined)?.params).toEqual({
        name: 'weather_dashboard',
        arguments: { units: 'metric', city: 'Kyoto' },
      });
    });
  });

  verifies('VIEW-014', 'takes arguments that come, change and go in any order', async () => {
    await inApp({}, async (host) => {
      const values: unknown[] = [undefined, null, 7, '', 'K', 'Kyo', [], ['Kyoto'], {}, { city: 1 }, true];
      for (let round = 0; round < 60; round += 1) {
        // A fixed walk through the values, each after each.
        const at = (step: number): unknown => values[(round * step + Math.floor(round / 11)) % values.length];
        await partial(host, { city: at(1), units: at(3), [`field${round % 4}`]: at(7) });
      }
      await host.tell('ui/notifications/tool-input-partial', {});
      await partial(host, { city: 'Kyoto' });
      await eventually(() => host.guest.textContent('#place')).toBe('Kyoto');
      expect(await host.state()).toBe('waiting');
      await input(host, 'Nairobi');
      await result(host, reportOf('Nairobi'));
      await eventually(() => host.state()).toBe('shown');
      expect(await host.guest.textContent('#place')).toBe('Nairobi');
    });
  });

  verifies('VIEW-017', 'waits no longer when the call was cancelled or failed', async () => {
    const stopped = ({ guest }: WeatherHost) =>
      guest.evaluate(() => ({
        state: document.querySelector('main')?.dataset['state'],
        busy: document.querySelector('main')?.getAttribute('aria-busy'),
        notice: document.querySelector<HTMLElement>('#notice')?.innerText,
        said: document.querySelector('#status')?.textContent,
      }));
    for (const [method, params, words] of [
      ['ui/notifications/tool-cancelled', { reason: 'The person stopped it.' }, /The person stopped it\./],
      ['ui/notifications/tool-cancelled', {}, /Nothing was loaded/],
      [
        'ui/notifications/tool-result',
        { content: [{ type: 'text', text: 'No such city.' }], isError: true },
        /No such city\./,
      ],
      ['ui/notifications/tool-result', { content: [] }, /no report/],
    ] as const)
      await inApp({}, async (host) => {
        await input(host, 'Kyoto');
        await eventually(() => host.guest.textContent('#place')).toBe('Kyoto');
        expect(await stopped(host)).toMatchObject({ state: 'waiting', busy: 'true' });
        await host.tell(method, params);
        await eventually(() => stopped(host)).toEqual({
          state: 'stopped',
          busy: 'false',
          notice: expect.stringMatching(words),
          said: expect.stringMatching(words),
        });
      });
  });

  verifies('VIEW-018', 'asks a host for nothing but what the specification lists', async () => {
    const answers = { weather_dashboard: reportOf('Nairobi'), refresh_weather: reportOf('Kyoto') };
    await inApp(
      { availableDisplayModes: ['inline', 'fullscreen'] },
      async (host) => {
        const { guest } = host;
        await input(host, 'Kyoto');
        await result(host, reportOf('Kyoto'));
        await eventually(() => host.state()).toBe('shown');
        await guest.click('#refresh');
        await eventually(() => host.state()).toBe('shown');
        await guest.selectOption('#city', 'Nairobi');
        await eventually(() => guest.textContent('#place')).toBe('Nairobi');
        // The answer is in °C, so the switch goes back by itself.
        await guest.evaluate(() => document.querySelector<HTMLElement>('input[value="imperial"]')?.click());
        await eventually(
          async () => (await host.methods()).filter((method) => method === 'tools/call').length,
        ).toBe(4);
        const methods = new Set((await host.sent()).map(({ method }) => method));
        expect([...methods].toSorted()).toEqual([
          'tools/call',
          'ui/initialize',
          'ui/notifications/initialized',
          'ui/notifications/size-changed',
        ]);
      },
      answers,
    );
  });
});
