/** What the sky does; the app draws one picture for each. */
export type Condition = 'clear' | 'partly-cloudy' | 'cloudy' | 'fog' | 'rain' | 'storm' | 'snow';

/** The climate a city's invented readings are drawn from; temperatures are in °C, speeds in km/h. */
export interface City {
  name: string;
  country: string;
  timeZone: string;
  low: number;
  high: number;
  humidity: number;
  wind: number;
  windDirection: 'N' | 'NE' | 'E' | 'SE' | 'S' | 'SW' | 'W' | 'NW';
  /** The sky of today and the days after, repeated as needed. */
  sky: readonly Condition[];
}

/** Every city the server knows. The first one is shown when none is asked for. */
export const cities: readonly City[] = [
  {
    name: 'Lisbon',
    country: 'Portugal',
    timeZone: 'Europe/Lisbon',
    low: 17,
    high: 27,
    humidity: 58,
    wind: 18,
    windDirection: 'NW',
    sky: ['partly-cloudy', 'clear', 'clear', 'cloudy', 'rain'],
  },
  {
    name: 'Reykjavík',
    country: 'Iceland',
    timeZone: 'Atlantic/Reykjavik',
    low: -3,
    high: 2,
    humidity: 79,
    wind: 34,
    windDirection: 'E',
    sky: ['snow', 'snow', 'cloudy', 'partly-cloudy', 'snow'],
  },
  {
    name: 'Nairobi',
    country: 'Kenya',
    timeZone: 'Africa/Nairobi',
    low: 14,
    high: 25,
    humidity: 62,
    wind: 12,
    windDirection: 'SE',
    sky: ['clear', 'partly-cloudy', 'clear', 'storm', 'partly-cloudy'],
  },
  {
    name: 'Kyoto',
    country: 'Japan',
    timeZone: 'Asia/Tokyo',
    low: 12,
    high: 20,
    humidity: 71,
    wind: 7,
    windDirection: 'S',
    sky: ['rain', 'rain', 'cloudy', 'partly-cloudy', 'clear'],
  },
  {
    name: 'São Paulo',
    country: 'Brazil',
    timeZone: 'America/Sao_Paulo',
    low: 19,
    high: 28,
    humidity: 76,
    wind: 15,
    windDirection: 'SE',
    sky: ['storm', 'rain', 'partly-cloudy', 'clear', 'storm'],
  },
  {
    name: 'Wellington',
    country: 'New Zealand',
    timeZone: 'Pacific/Auckland',
    low: 10,
    high: 16,
    humidity: 68,
    wind: 46,
    windDirection: 'S',
    sky: ['cloudy', 'rain', 'partly-cloudy', 'clear', 'cloudy'],
  },
  {
    name: 'San Francisco',
    country: 'United States',
    timeZone: 'America/Los_Angeles',
    low: 11,
    high: 18,
    humidity: 83,
    wind: 21,
    windDirection: 'W',
    sky: ['fog', 'fog', 'partly-cloudy', 'clear', 'partly-cloudy'],
  },
];

const toKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .trim()
    .toLowerCase();

/** Finds a city by name, whatever its case and accents. */
export const findCity = (name: string): City | undefined =>
  cities.find((city) => toKey(city.name) === toKey(name));
