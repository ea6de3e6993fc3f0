import * as z from 'zod';
import type { City, Condition } from './cities.js';

/** The units a reading may be asked for in. */
export const unitsSchema = z.enum(['metric', 'imperial']);

const conditionSchema = z.enum(['clear', 'partly-cloudy', 'cloudy', 'fog', 'rain', 'storm', 'snow']);

/** The shape of a report: what the tools promise as output and what the app draws. */
export const weatherReportSchema = z.object({
  city: z.string(),
  country: z.string(),
  timeZone: z.string(),
  units: unitsSchema,
  observedAt: z.string().describe('ISO 8601'),
  observation: z.number().int().describe('Counts the readings taken; every refresh takes one more.'),
  condition: conditionSchema,
  temperature: z.number(),
  feelsLike: z.number(),
  humidity: z.number().describe('Per cent'),
  wind: z.object({ speed: z.number(), direction: z.string() }),
  pressure: z.number().describe('hPa'),
  hours: z.array(z.object({ time: z.string(), temperature: z.number(), condition: conditionSchema })),
  days: z.array(
    z.object({
      date: z.string(),
      low: z.number(),
      high: z.number(),
      condition: conditionSchema,
      rainChance: z.number().describe('Per cent'),
    }),
  ),
});

/** A weather report as it crosses the wire. */
export type WeatherReport = z.infer<typeof weatherReportSchema>;

type Units = WeatherReport['units'];

// The readings are invented, so they start at a fixed moment: equal questions have equal answers, on every machine.
const firstObservation = Date.UTC(2026, 5, 1, 9, 0);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const rainChances: Record<Condition, number> = {
  clear: 2,
  'partly-cloudy': 10,
  cloudy: 30,
  fog: 15,
  rain: 85,
  storm: 90,
  snow: 75,
};

/** A number in [-1, 1] that depends on its inputs alone. */
const toNoise = (city: City, salt: number): number => {
  let hash = 2166136261 ^ salt;
  for (const character of city.name)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) ^ (salt << 7);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 0x7fffffff - 1;
};

const toTemperature = (celsius: number, units: Units): number =>
  Math.round(units === 'metric' ? celsius : celsius * 1.8 + 32);

const toSpeed = (kilometres: number, units: Units): number =>
  Math.round(units === 'metric' ? kilometres : kilometres / 1.609);

/** The local hour of a moment, as a fraction of the day. */
const toLocalHour = (time: number, timeZone: string): number =>
  Number(
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(new Date(time)),
  );

/** The day's swing: coldest before dawn, warmest in the afternoon. */
const toCelsius = (city: City, time: number): number => {
  const phase = ((toLocalHour(time, city.timeZone) - 15) / 24) * 2 * Math.PI;
  return (city.low + city.high) / 2 + ((city.high - city.low) / 2) * Math.cos(phase);
};

const skyOn = (city: City, index: number): Condition => city.sky[index % city.sky.length] ?? 'clear';

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Invents the n-th reading of a city; the same arguments always give the same report. */
export const toWeatherReport = (city: City, units: Units, observation: number): WeatherReport => {
  const now = firstObservation + (observation - 1) * 10 * minute;
  const celsius = clamp(toCelsius(city, now) + toNoise(city, observation) * 1.4, city.low, city.high);
  const windSpeed = Math.max(1, city.wind + toNoise(city, observation + 900) * 5);
  const humidity = Math.round(clamp(city.humidity + toNoise(city, observation + 400) * 6, 20, 99));
  return {
    city: city.name,
    country: city.country,
    timeZone: city.timeZone,
    units,
    observedAt: new Date(now).toISOString(),
    observation,
    condition: skyOn(city, 0),
    temperature: toTemperature(celsius, units),
    feelsLike: toTemperature(celsius - windSpeed / 14 + (humidity - 60) / 25, units),
    humidity,
    wind: { speed: toSpeed(windSpeed, units), direction: city.windDirection },
    pressure: Math.round(1013 + toNoise(city, observation + 70) * 14),
    hours: Array.from({ length: 12 }, (_, index) => {
      const time = now + index * 2 * hour;
      const drift = index === 0 ? celsius : toCelsius(city, time) + toNoise(city, index + 30) * 0.9;
      return {
        time: new Date(time).toISOString(),
        temperature: toTemperature(clamp(drift, city.low, city.high), units),
        condition: skyOn(city, index > 7 ? 1 : 0),
      };
    }),
    days: Array.from({ length: 6 }, (_, index) => {
      const condition = skyOn(city, index);
      // Today's range is the one its hours are drawn from.
      const swing = index === 0 ? 0 : 2;
      return {
        date: new Date(now + index * day).toISOString(),
        low: toTemperature(city.low + toNoise(city, index + 200) * swing, units),
        high: toTemperature(city.high + toNoise(city, index + 300) * swing, units),
        condition,
        rainChance: clamp(rainChances[condition] + Math.round(toNoise(city, index) * 8), 0, 100),
      };
    }),
  };
};

/** What a model reads, and what hosts without apps show. */
export const toReportText = (report: WeatherReport): string => {
  const degree = report.units === 'metric' ? '°C' : '°F';
  const speed = report.units === 'metric' ? 'km/h' : 'mph';
  const days = report.days
    .slice(1, 4)
    .map((entry) => `${entry.date.slice(0, 10)} ${entry.condition} ${entry.low} to ${entry.high} ${degree}`);
  return [
    `${report.city}, ${report.country}: ${report.temperature} ${degree}, ${report.condition.replace('-', ' ')}, feels like ${report.feelsLike} ${degree}.`,
    `Humidity ${report.humidity} %, wind ${report.wind.speed} ${speed} from ${report.wind.direction}, pressure ${report.pressure} hPa.`,
    `Next days: ${days.join('; ')}.`,
    'These readings are invented for demonstration.',
  ].join('\n');
};
