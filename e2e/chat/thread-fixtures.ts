import type { ConversationMessage, ToolPart, ToolSource } from '@casement/chat';
import type { PlannedTool } from './support.js';

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

export const serverSource: ToolSource = { kind: 'server', server: 'weather', tool: 'get_forecast' };

export const appSource: ToolSource = {
  kind: 'app',
  server: 'games',
  session: 'one',
  tool: 'move_piece',
  app: { name: 'Chess board', version: '1.4.0' },
};

/** A tool without an app. */
export const forecastTool: PlannedTool = {
  name: 'get_forecast',
  description: 'What the sky will do.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** A call of it that is over, with content of every kind. */
export const forecast: ToolPart = {
  type: 'dynamic-tool',
  toolName: 'get_forecast',
  toolCallId: 'forecast',
  source: serverSource,
  state: 'output-available',
  input: { city: 'Lisbon' },
  output: {
    content: [
      { type: 'text', text: 'Sunny, 24 degrees.\nWind from the north.' },
      { type: 'image', data: picture, mimeType: 'image/png' },
      { type: 'resource_link', uri: 'https://weather.example/lisbon', name: 'Lisbon' },
      { type: 'resource', resource: { uri: 'file:///report.txt', mimeType: 'text/plain', text: 'Report' } },
    ],
    structuredContent: { temperature: 24 },
  },
};

/** A call of the tool `show` of the server `demo`, which has an app. */
export const showTool = {
  source: { kind: 'server', server: 'demo', tool: 'show' },
  tool: { name: 'show', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://demo/show' } } },
  state: 'output-available',
  input: {},
} as const;

/** A conversation that is longer than any screen. */
export const toManyMessages = (count: number): readonly ConversationMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `old-${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `Message ${index}\n\nwith a second paragraph` }],
  }));
