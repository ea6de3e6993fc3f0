import { page } from './fixture.js';

/* Questions as apps lead to them, and what a person does with them. */

export const app = {
  server: 'weather',
  resource: 'ui://weather/app',
  info: { name: 'Forecast', version: '1' },
};
export const link = {
  url: 'https://example.com/path?q=1',
  host: 'example.com',
  server: 'weather',
  warnings: [],
};
export const message = { role: 'user', content: [{ type: 'text', text: 'Book the flight.' }], app };
export const download = {
  server: 'weather',
  files: [
    { name: 'report.csv', mimeType: 'text/csv', bytes: 1536 },
    { name: 'map.png', mimeType: 'image/png', bytes: 5_242_880 },
  ],
  links: [
    { url: 'https://files.example.com/all.zip', host: 'files.example.com', server: 'weather', warnings: [] },
  ],
};
export const sampling = {
  app,
  params: {
    systemPrompt: 'Be short.',
    messages: [{ role: 'user', content: { type: 'text', text: 'Summarise the week.' } }],
    maxTokens: 1500,
  },
};

type Hook = 'onOpenLink' | 'onMessage' | 'onDownload' | 'onSampling';

/** Asks without waiting for the answer, which is held for later. */
export const ask = (hook: Hook, request: object, options: object = {}): Promise<void> =>
  page.evaluate(
    ([name, given, settings]) => {
      const dialogs = window.hostModule.createConsentDialogs(settings);
      // The requests are those of the tests above, of the kind the hook takes.
      const call = dialogs[name] as (request: object, options: object) => Promise<unknown>;
      window.hostHeld['answer'] = 'open';
      const controller = new AbortController();
      window.hostHeld['controller'] = controller;
      void call(given, { signal: controller.signal }).then((answer) => (window.hostHeld['answer'] = answer));
    },
    [hook, request, options] as const,
  );
export const answer = (): Promise<unknown> => page.evaluate(() => window.hostHeld['answer']);
export const dialog = () => page.getByRole('dialog');
export const button = (name: string) => dialog().getByRole('button', { name, exact: true });
export const armed = () => button('Cancel').and(page.locator('[aria-disabled="false"]')).waitFor();
export const focused = () =>
  page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent ?? 'elsewhere');
