import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { waitUntil } from '../../support/eventually.js';
import type { World } from '../../support/world.js';

type Params = Record<string, unknown>;

/** A message of the app, as it came. */
interface Sent {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
}

declare global {
  interface Window {
    weather: { readonly sent: Sent[]; tell(method: string, params: Params): void };
  }
}

const dashboard = readFileSync(
  join(import.meta.dirname, '../../../examples/weather-server/dist/dashboard.html'),
  'utf8',
);

/** The weather example in a host that does as it is told and remembers what the app said. */
export interface WeatherHost {
  readonly page: Page;
  readonly guest: Frame;
  /** What nobody caught, in the host or the app. */
  readonly uncaught: string[];
  sent(): Promise<Sent[]>;
  /** The methods of what was sent, but for size reports. */
  methods(): Promise<string[]>;
  tell(method: string, params: Params): Promise<void>;
  state(): Promise<string | null>;
}

/** In the page: a frame with the app, answered by fixed replies. A host that follows no size, so that rooms stay as given. */
const install = ([address, context, answers]: [string, Params, Params]): void => {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width: 400px; height: 300px; border: 0';
  const sent: Sent[] = [];
  const post = (message: Params): void =>
    frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, new URL(address).origin);
  window.addEventListener('message', ({ data, source }) => {
    if (source !== frame.contentWindow) return;
    sent.push(data);
    const { id, method, params } = data as Sent; // what the app sends
    if (id === undefined) return;
    if (method === 'ui/initialize')
      post({
        id,
        result: {
          protocolVersion: '2026-01-26',
          hostInfo: { name: 'weather host', version: '1.0.0' },
          hostCapabilities: { serverTools: {} },
          hostContext: context,
        },
      });
    else post({ id, result: answers[String(params?.['name'])] ?? { content: [], isError: true } });
  });
  window.weather = { sent, tell: (method, params) => post({ method, params }) };
  frame.src = address;
  document.body.append(frame);
};

/** Opens the app and waits until it has shaken hands and asked for its cities. */
export const openWeather = async (
  browser: Browser,
  world: World,
  context: Params,
  answers: Params = {},
): Promise<WeatherHost> => {
  const address = world.servePlain('/weather.html', dashboard);
  const page = await browser.newPage();
  const uncaught: string[] = [];
  page.on('pageerror', (error) => uncaught.push(String(error)));
  await page.goto(`${world.hostOrigin}/`);
  const cities = {
    content: [],
    structuredContent: { cities: ['Kyoto', 'Nairobi'].map((name) => ({ name, country: 'x' })) },
  };
  await page.evaluate(install, [address, context, { list_cities: cities, ...answers }] as [
    string,
    Params,
    Params,
  ]);
  const sent = (): Promise<Sent[]> => page.evaluate(() => window.weather.sent);
  await waitUntil(sent, (messages) => messages.some(({ params }) => params?.['name'] === 'list_cities'), {
    what: 'The app asking for its cities',
  });
  const guest = page.frames().find((frame) => frame.url() === address);
  if (!guest) throw new Error('The app has no frame.');
  await guest.waitForFunction(() => document.querySelectorAll('#city option').length === 2);
  return {
    page,
    guest,
    uncaught,
    sent,
    methods: async () =>
      (await sent())
        .map(({ method = 'answer' }) => method)
        .filter((method) => method !== 'ui/notifications/size-changed'),
    tell: (method, params) =>
      page.evaluate(([name, given]) => window.weather.tell(name, given), [method, params] as const),
    state: () => guest.getAttribute('#dashboard', 'data-state'),
  };
};
