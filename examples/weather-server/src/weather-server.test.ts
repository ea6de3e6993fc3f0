import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.js';

interface Answer {
  id?: number;
  result: {
    tools: { name: string; _meta?: unknown }[];
    resources: { uri: string }[];
    contents: { uri?: string; mimeType?: string; text?: string }[];
    content: { type: string; text?: string }[];
    structuredContent?: unknown;
    isError?: boolean;
  };
}

// The shipped program itself, spoken to line by line: what a host would start.
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<number, (answer: Answer) => void>();
let lastId = 0;

const send = (message: Record<string, unknown>): boolean =>
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const request = async (method: string, params: Record<string, unknown> = {}): Promise<Answer['result']> => {
  lastId += 1;
  const id = lastId;
  const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
  send({ id, method, params });
  return (await answer).result;
};

const call = (name: string, args: Record<string, unknown> = {}) =>
  request('tools/call', { name, arguments: args });

beforeAll(async () => {
  createInterface({ input: server.stdout }).on('line', (line) => {
    // Only answers are expected here; their shape is what the tests look at.
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id ?? 0)?.(answer);
  });
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  });
  send({ method: 'notifications/initialized' });
});

afterAll(async () => {
  server.stdin.end();
  await once(server, 'exit');
});

describe('the weather server', () => {
  verifies(
    ['S1-126', 'S4-01', 'S4-13'],
    'points its dashboard tool at the app under both keys and keeps list_cities to the app',
    async () => {
      const { tools } = await request('tools/list');
      const metadata = new Map(tools.map((tool) => [tool.name, tool._meta]));
      expect(metadata.get('weather_dashboard')).toEqual({
        ui: { resourceUri: 'ui://weather/dashboard' },
        'ui/resourceUri': 'ui://weather/dashboard',
      });
      expect(metadata.get('refresh_weather')).toEqual({ ui: { visibility: ['model', 'app'] } });
      expect(metadata.get('list_cities')).toEqual({ ui: { visibility: ['app'] } });
      const { resources } = await request('resources/list');
      expect(resources.map(({ uri }) => uri)).toEqual(['ui://weather/dashboard']);
      const { contents } = await request('resources/read', { uri: 'ui://weather/dashboard' });
      expect(contents.map(({ uri }) => uri)).toEqual(['ui://weather/dashboard']);
    },
  );

  verifies('S4-06', 'serves the app as one file that refers to nothing outside itself', async () => {
    const { contents } = await request('resources/read', { uri: 'ui://weather/dashboard' });
    const [item] = contents;
    expect(item?.mimeType).toBe('text/html;profile=mcp-app');
    const html = item?.text ?? '';
    expect(html).toContain('ui/initialize');
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|\b(?:src|href)=|@import|url\((?!"?#|'?#|#)/,
    );
  });

  test('answers with text for the model and the same reading as structured content', async () => {
    const result = await call('weather_dashboard', { city: 'reykjavik', units: 'metric' });
    expect(result.structuredContent).toMatchObject({ city: 'Reykjavík', units: 'metric', condition: 'snow' });
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining('Reykjavík, Iceland') }]);
  });

  verifies(
    'SERVER-018',
    'splits a result: words that suffice without the app, numbers for the app, nothing twice',
    async () => {
      const { content, structuredContent } = await call('weather_dashboard', { city: 'Kyoto' });
      // What the test looks at of a report whose schema the server has checked.
      const { temperature, humidity, hours, days } = structuredContent as {
        temperature: number;
        humidity: number;
        hours: { time: string }[];
        days: { date: string; low: number; high: number }[];
      };
      const text = content.map((block) => block.text ?? '').join('\n');
      for (const words of [`${temperature} °C`, `${humidity} %`, `${days[1]?.low} to ${days[1]?.high} °C`])
        expect(text).toContain(words);
      // The curve's points are of no use to a model, and a dump of the data would make it pay for them.
      for (const { time } of hours) expect(text).not.toContain(time);
      expect(text.length).toBeLessThan(JSON.stringify(structuredContent).length / 3);
    },
  );

  test('answers equal questions equally, and with the first city when none is named', async () => {
    const first = await call('weather_dashboard');
    expect(first.structuredContent).toMatchObject({ city: 'Lisbon', observation: 1 });
    expect((await call('weather_dashboard')).structuredContent).toEqual(first.structuredContent);
  });

  test('takes a new reading on refresh', async () => {
    const before = await call('weather_dashboard', { city: 'Kyoto' });
    const after = await call('refresh_weather', { city: 'Kyoto' });
    expect(before.structuredContent).toMatchObject({ observation: 1 });
    expect(after.structuredContent).toMatchObject({ city: 'Kyoto', observation: 2 });
    expect((await call('weather_dashboard', { city: 'Kyoto' })).structuredContent).toEqual(
      after.structuredContent,
    );
  });

  test('names the known cities when asked for an unknown one', async () => {
    const result = await call('weather_dashboard', { city: 'Atlantis' });
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/"Atlantis".*Lisbon/) }]);
  });
});
