/* global confirm, document, location */
import { createHandlersPort } from '@casement/protocol/ports';
import { McpApp } from '@casement/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// #region port
const mcp = async (method, params) => {
  const response = await fetch('/mcp', { method: 'POST', body: JSON.stringify({ method, params }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
const server = createHandlersPort({
  name: 'weather',
  handlers: {
    listTools: () => mcp('tools/list'),
    callTool: (params) => mcp('tools/call', params),
    readResource: (params) => mcp('resources/read', params),
  },
});
// #endregion
const tool = (await server.listTools()).find(({ name }) => name === 'weather_dashboard');
const sandbox = { base: `http://chat.localhost:${Number(location.port) + 1}` };
const links = { trusted: ['https://en.wikipedia.org'] }; // these open without a question
const toText = (block) => (block.type === 'text' ? block.text : JSON.stringify(block));
const onOpenLink = async ({ host, url }) => confirm(`Open a page of ${host}?\n${url}`);

const Chat = () => {
  const [thread, setThread] = useState([]);
  const say = (item) => setThread((items) => [...items, item]);
  const ask = async (city) => {
    const item = { text: `Weather in ${city}`, toolInput: { city } };
    say(item); // the app loads while the tool runs
    const toolResult = await server.callTool({ name: tool.name, arguments: { city } }, { caller: 'user' });
    setThread((items) => items.map((other) => (other === item ? { ...item, toolResult } : other)));
  };
  const onMessage = async ({ content, app }) => {
    const text = content.map(toText).join('\n');
    const isWanted = confirm(`An app of ${app.server} wants to write in this chat:\n${text}`);
    if (isWanted) say({ text });
    return isWanted;
  };
  // #region app
  const toApp = ({ toolInput, toolResult }) => (
    <McpApp key="app" {...{ server, tool, sandbox, toolInput, toolResult, links, onOpenLink, onMessage }} />
  );
  // #endregion
  const items = thread.map((item, key) => (
    <article key={key} children={[<p key="text">{item.text}</p>, item.toolInput && toApp(item)]} />
  ));
  return (
    <form action={(form) => void ask(form.get('city')).catch(({ message }) => say({ text: message }))}>
      {items}
      <input name="city" aria-label="City" defaultValue="Lisbon" required />
      <button>Send</button>
    </form>
  );
};
createRoot(document.getElementById('chat')).render(<StrictMode children={<Chat />} />);
