import { registerAppTool } from '@casement/server';
import { McpServer } from '@modelcontextprotocol/server';
import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { City } from './cities.js';
import { cities, findCity } from './cities.js';
import { toReportText, toWeatherReport, unitsSchema, weatherReportSchema } from './weather-report.js';
import type { WeatherReport } from './weather-report.js';

const toResult = (report: WeatherReport): CallToolResult => ({
  content: [{ type: 'text', text: toReportText(report) }],
  structuredContent: report,
});

const toUnknownCity = (name: string): CallToolResult => ({
  isError: true,
  content: [
    {
      type: 'text',
      text: `No weather is known for "${name}". Known cities: ${cities.map((city) => city.name).join(', ')}.`,
    },
  ],
});

const placeSchema = z.object({
  city: z
    .string()
    .max(80)
    .optional()
    .describe(`One of ${cities.map((city) => city.name).join(', ')}`),
  units: unitsSchema.optional().describe('metric (°C, km/h) or imperial (°F, mph)'),
});

/** Counts the readings taken per city, for as long as the process lives. */
export interface Observations {
  current(city: City): number;
  next(city: City): number;
}

/** Creates the count that every connection of one process shares. */
export const createObservations = (): Observations => {
  const taken = new Map<City, number>();
  const current = (city: City): number => taken.get(city) ?? 1;
  return {
    current,
    next: (city) => {
      taken.set(city, current(city) + 1);
      return current(city);
    },
  };
};

/** Creates the MCP server: three tools and the app that two of them feed. */
export const createWeatherServer = (dashboardHtml: string, observations: Observations): McpServer => {
  const server = new McpServer(
    { name: 'casement-weather', title: 'Weather', version: '0.1.0' },
    {
      instructions: 'Shows invented weather for a few cities. Call weather_dashboard to show it to the user.',
    },
  );

  registerAppTool(
    server,
    'weather_dashboard',
    {
      title: 'Weather dashboard',
      description: 'Shows the weather of a city: now, the next hours and the next days.',
      inputSchema: placeSchema,
      outputSchema: weatherReportSchema,
      annotations: { readOnlyHint: true, openWorldHint: false },
      ui: { template: dashboardHtml, resourceUri: 'ui://weather/dashboard', prefersBorder: false },
    },
    ({ city: name, units = 'metric' }) => {
      const city = name === undefined ? cities[0] : findCity(name);
      if (!city) return toUnknownCity(name ?? '');
      return toResult(toWeatherReport(city, units, observations.current(city)));
    },
  );

  registerAppTool(
    server,
    'refresh_weather',
    {
      title: 'Refresh weather',
      description: 'Takes a new reading for a city.',
      inputSchema: placeSchema.extend({ city: z.string().max(80) }),
      outputSchema: weatherReportSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      ui: { visibility: ['model', 'app'] },
    },
    ({ city: name, units = 'metric' }) => {
      const city = findCity(name);
      return city ? toResult(toWeatherReport(city, units, observations.next(city))) : toUnknownCity(name);
    },
  );

  registerAppTool(
    server,
    'list_cities',
    {
      title: 'List cities',
      description: 'The cities the dashboard can switch to.',
      inputSchema: z.object({}),
      outputSchema: z.object({ cities: z.array(z.object({ name: z.string(), country: z.string() })) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      // Only the app needs the list; a model reads the names in the other tools' descriptions.
      ui: { visibility: ['app'] },
    },
    () => ({
      content: [{ type: 'text', text: cities.map((city) => city.name).join(', ') }],
      structuredContent: { cities: cities.map(({ name, country }) => ({ name, country })) },
    }),
  );

  return server;
};
