import type { WeatherReport } from '../weather-report.js';
import { element } from './page-elements.js';
import { conditionWords, toSkyPicture } from './sky-picture.js';
import { toTemperatureCurve } from './temperature-curve.js';

const write = (id: string, text: string): void => {
  element(id, HTMLElement).textContent = text;
};

/** Degrees with a true minus sign, which a hyphen is not. */
const toDegrees = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value)}°`;

const span = (className: string, text = ''): HTMLSpanElement => {
  const made = document.createElement('span');
  made.className = className;
  made.textContent = text;
  return made;
};

const strong = (text: string): HTMLElement => {
  const made = document.createElement('b');
  made.textContent = text;
  return made;
};

const picture = (condition: WeatherReport['condition']): HTMLElement => {
  const holder = span('mini');
  const words = span('hidden', conditionWords[condition]);
  holder.append(toSkyPicture(condition), words);
  return holder;
};

const time = (iso: string, text: string): HTMLTimeElement => {
  const made = document.createElement('time');
  made.dateTime = iso;
  made.textContent = text;
  return made;
};

const toHour = (hour: WeatherReport['hours'][number], text: string): HTMLLIElement => {
  const item = document.createElement('li');
  item.append(time(hour.time, text), picture(hour.condition), strong(toDegrees(hour.temperature)));
  return item;
};

const toDay = (
  day: WeatherReport['days'][number],
  text: string,
  bounds: { low: number; high: number },
): HTMLLIElement => {
  const item = document.createElement('li');
  const range = span('range');
  range.setAttribute('aria-hidden', 'true');
  const bar = span('');
  const spread = Math.max(1, bounds.high - bounds.low);
  bar.style.left = `${((day.low - bounds.low) / spread) * 100}%`;
  bar.style.right = `${((bounds.high - day.high) / spread) * 100}%`;
  range.append(bar);
  const low = span('low', toDegrees(day.low));
  low.title = 'Lowest';
  const high = strong(toDegrees(day.high));
  high.title = 'Highest';
  const chance = span('chance', `${day.rainChance} %`);
  chance.title = 'Chance of rain or snow';
  item.append(time(day.date, text), picture(day.condition), chance, low, range, high);
  return item;
};

/** Puts a report on the page, with times as the city's clocks show them. */
export const showReport = (report: WeatherReport, locale: string | undefined): void => {
  const { timeZone } = report;
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone });
  const hourOnly = new Intl.DateTimeFormat(locale, { hour: 'numeric', timeZone });
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone });
  const scale = document.createElement('small');
  scale.textContent = report.units === 'metric' ? 'C' : 'F';
  const speed = report.units === 'metric' ? 'km/h' : 'mph';

  write('place', report.city);
  write(
    'observed',
    `${report.country} · ${clock.format(new Date(report.observedAt))} · reading ${report.observation}`,
  );
  element('temperature', HTMLElement).replaceChildren(toDegrees(report.temperature), scale);
  write('condition', conditionWords[report.condition]);
  write('feels-like', toDegrees(report.feelsLike));
  write('wind', `${report.wind.speed} ${speed} ${report.wind.direction}`);
  write('humidity', `${report.humidity} %`);
  write('pressure', `${report.pressure} hPa`);
  element('sky', HTMLElement).replaceChildren(toSkyPicture(report.condition));
  element('place', HTMLElement)
    .closest<HTMLElement>('.now')
    ?.setAttribute('data-condition', report.condition);

  element('curve', HTMLElement).replaceChildren(
    toTemperatureCurve(report.hours.map((hour) => hour.temperature)),
  );
  element('hours', HTMLElement).replaceChildren(
    ...report.hours.map((hour, index) =>
      toHour(hour, index === 0 ? 'Now' : hourOnly.format(new Date(hour.time))),
    ),
  );
  const bounds = {
    low: Math.min(...report.days.map((day) => day.low)),
    high: Math.max(...report.days.map((day) => day.high)),
  };
  element('days', HTMLElement).replaceChildren(
    ...report.days.map((day, index) =>
      toDay(day, index === 0 ? 'Today' : weekday.format(new Date(day.date)), bounds),
    ),
  );
};
