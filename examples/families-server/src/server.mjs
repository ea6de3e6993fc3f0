import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const pizzas = read('./pizzas.html');
const poll = read('./poll.html');
const template = 'ui://families/pizzas.html';
// The same menu for hosts of either family: each has its own type of document.
const menus = [
  {
    uri: 'ui://families/menu-app.html',
    mimeType: 'text/html;profile=mcp-app',
    text: read('./menu-app.html'),
  },
  {
    uri: 'ui://families/menu-widget.html',
    mimeType: 'text/html+skybridge',
    text: read('./menu-widget.html'),
  },
];

// One process, one kitchen and one poll: every connection sees the same.
const toppings = ['tomato', 'basil'];
const votes = new Map([
  ['thin', 0],
  ['thick', 0],
]);

const toPizzas = () => ({
  content: [{ type: 'text', text: `A pizza with ${toppings.join(', ')}.` }],
  structuredContent: { toppings: [...toppings] },
});

const createServer = () => {
  const server = new McpServer({ name: 'casement-families', title: 'Families', version: '0.1.0' });

  server.registerTool(
    'show_pizzas',
    {
      title: 'Show the pizza',
      description: 'Shows the pizza as an OpenAI Apps SDK widget.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: {
        'openai/outputTemplate': template,
        'openai/toolInvocation/invoking': 'Looking into the oven',
        'openai/toolInvocation/invoked': 'There it is',
      },
    },
    () => toPizzas(),
  );
  server.registerResource('Pizza', template, { mimeType: 'text/html+skybridge' }, () => ({
    contents: [
      {
        uri: template,
        mimeType: 'text/html+skybridge',
        text: pizzas,
        _meta: { 'openai/widgetPrefersBorder': true, 'openai/widgetDescription': 'A pizza and its toppings' },
      },
    ],
  }));
  server.registerTool(
    'add_topping',
    {
      title: 'Add a topping',
      description: 'Puts one more topping on the pizza.',
      inputSchema: z.object({ topping: z.string().min(1).max(40) }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      // In this family a widget may call only what says so.
      _meta: { 'openai/widgetAccessible': true },
    },
    ({ topping }) => {
      toppings.push(topping);
      return toPizzas();
    },
  );

  server.registerTool(
    'start_poll',
    {
      title: 'Start a poll',
      description: 'Asks how the crust should be, as an MCP-UI app inside the result.',
      inputSchema: z.object({ question: z.string().max(200).optional() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ question = 'Which crust?' }) => ({
      content: [
        { type: 'text', text: question },
        {
          type: 'resource',
          resource: {
            uri: 'ui://families/poll',
            mimeType: 'text/html',
            text: poll,
            _meta: { 'mcpui.dev/ui-initial-render-data': { question, answers: [...votes.keys()] } },
          },
        },
      ],
    }),
  );
  server.registerTool(
    'vote',
    {
      title: 'Vote',
      description: 'Counts one vote of the poll.',
      inputSchema: z.object({ answer: z.enum([...votes.keys()]) }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ answer }) => {
      votes.set(answer, (votes.get(answer) ?? 0) + 1);
      const counts = Object.fromEntries(votes);
      return { content: [{ type: 'text', text: JSON.stringify(counts) }], structuredContent: { counts } };
    },
  );

  server.registerTool(
    'show_menu',
    {
      title: 'Show the menu',
      description: 'Shows the menu as an MCP App or, in hosts that know only those, as an OpenAI widget.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: { ui: { resourceUri: menus[0].uri }, 'openai/outputTemplate': menus[1].uri },
    },
    () => ({
      content: [{ type: 'text', text: 'Margherita and marinara.' }],
      structuredContent: { dishes: ['margherita', 'marinara'] },
    }),
  );
  for (const { uri, mimeType, text } of menus)
    server.registerResource(uri, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, text }] }));
  return server;
};

serveStdio(createServer);
