import { App, applyContainerDimensions, type CallToolResult } from '@casement/app';
import type { WeatherReport } from '../weather-report.js';
import { element } from './page-elements.js';
import { readLocale } from './read-locale.js';
import { showReport } from './show-report.js';

const app = new App(
  { name: 'weather-dashboard', title: 'Weather dashboard', version: '0.1.0' },
  { availableDisplayModes: ['inline', 'fullscreen'] },
);
const dashboard = element('dashboard', HTMLElement);
const cityPicker = element('city', HTMLSelectElement);
const refresh = element('refresh', HTMLButtonElement);
const unitRadios = [...document.querySelectorAll<HTMLInputElement>('input[name="units"]')];

let place: { city?: string; units: 'metric' | 'imperial' } = { units: 'metric' };
let report: WeatherReport | undefined;
let locale: string | undefined;

const say = (text: string): void => {
  element('status', HTMLElement).textContent = text;
};

/** The three things the page can be: waiting for weather, showing it, or stopped with a reason. */
const enter = (state: 'waiting' | 'shown' | 'stopped'): void => {
  dashboard.dataset.state = state;
  dashboard.setAttribute('aria-busy', String(state === 'waiting'));
  element('notice', HTMLElement).hidden = state !== 'stopped';
  refresh.disabled = state !== 'shown';
  cityPicker.disabled = cityPicker.options.length === 0;
};

const stop = (title: string, text: string): void => {
  element('notice-title', HTMLElement).textContent = title;
  element('notice-text', HTMLElement).textContent = text;
  enter('stopped');
  say(`${title}. ${text}`);
};

const offerCity = (name: string): void => {
  if (![...cityPicker.options].some((option) => option.value === name))
    cityPicker.add(new Option(name, name));
  cityPicker.value = name;
};

const readText = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

const isReport = (value: unknown): value is WeatherReport =>
  typeof value === 'object' && value !== null && 'observedAt' in value && 'days' in value;

const receive = (result: CallToolResult): void => {
  if (result.isError || !isReport(result.structuredContent)) {
    stop('The weather could not be read', readText(result) || 'The server sent no report.');
    return;
  }
  report = result.structuredContent;
  place = { city: report.city, units: report.units };
  offerCity(report.city);
  for (const radio of unitRadios) radio.checked = radio.value === report.units;
  showReport(report, locale);
  enter('shown');
  say(`Weather for ${report.city}, reading ${report.observation}.`);
};

/** Asks the server through the host, as a user of this page would expect: the answer replaces what is shown. */
const ask = async (tool: 'weather_dashboard' | 'refresh_weather'): Promise<void> => {
  enter('waiting');
  try {
    receive(await app.callServerTool({ name: tool, arguments: place }));
  } catch (error) {
    stop('The server did not answer', error instanceof Error ? error.message : String(error));
  }
};

/** The name of a city on its way; nothing else is done with it. */
const announce = (city: unknown): void => {
  if (typeof city === 'string' && city !== '') element('place', HTMLElement).textContent = city;
};

// As far as the model has written: to look at, and not yet the place to ask for.
app.ontoolinputpartial = ({ arguments: args }) => announce(args?.city);
app.ontoolinput = ({ arguments: args }) => {
  announce(args?.city);
  if (typeof args?.city === 'string') place.city = args.city;
  say('Loading the weather.');
};
app.ontoolresult = receive;
app.ontoolcancelled = ({ reason }) => stop('The request was cancelled', reason ?? 'Nothing was loaded.');

/** Theme and style variables are put on the document by the app itself. */
const followHost = (): void => {
  const { containerDimensions, locale: named } = app.getHostContext() ?? {};
  applyContainerDimensions(containerDimensions);
  locale = readLocale(named) ?? locale;
  if (report) showReport(report, locale);
};
app.on('connected', followHost);
app.onhostcontextchanged = followHost;

const listCities = async (): Promise<void> => {
  const { structuredContent } = await app.callServerTool({ name: 'list_cities' });
  if (typeof structuredContent !== 'object' || structuredContent === null) return;
  const listed = 'cities' in structuredContent ? structuredContent.cities : [];
  if (!Array.isArray(listed)) return;
  // The list comes from our own server, whose output schema it already passed.
  for (const { name } of listed as { name: string }[])
    if (![...cityPicker.options].some((option) => option.value === name))
      cityPicker.add(new Option(name, name));
  if (report) offerCity(report.city);
  cityPicker.disabled = false;
};

refresh.addEventListener('click', () => void ask('refresh_weather'));
element('retry', HTMLButtonElement).addEventListener('click', () => {
  // What could not be shown is not asked for again: the picker names a city that can.
  if (cityPicker.value) place.city = cityPicker.value;
  void ask('weather_dashboard');
});
cityPicker.addEventListener('change', () => {
  place.city = cityPicker.value;
  void ask('weather_dashboard');
});
for (const radio of unitRadios)
  radio.addEventListener('change', () => {
    place.units = radio.value === 'imperial' ? 'imperial' : 'metric';
    if (report) void ask('weather_dashboard');
  });

if (window.parent === window) {
  stop('This page is an MCP App', 'It shows the weather inside a host that opens it.');
} else {
  await app.connect();
  await listCities().catch(() => say('The list of cities could not be loaded.'));
}
