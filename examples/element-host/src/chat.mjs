/* global confirm, document, location */
import { defineMcpApp } from '@casement/host/element';

// #region bridge
const mcp = async (method, params) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/mcp', { method: 'POST', headers, body: JSON.stringify({ method, params }) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
};
// #endregion

const [thread, composer] = ['thread', 'composer'].map((id) => document.getElementById(id));
const say = (text) => thread.append(Object.assign(document.createElement('p'), { textContent: text }));

// #region policy
const toText = (block) => (block.type === 'text' ? block.text : JSON.stringify(block)); // by its type
const policy = {
  links: { trusted: ['https://en.wikipedia.org'] }, // these open without a question
  onOpenLink: async ({ host, url }) => confirm(`Open a page of ${host}?\n${url}`),
  onMessage: async ({ content, app }) => {
    const text = content.map(toText).join('\n');
    const isWanted = confirm(`An app of ${app.server} wants to write in this chat:\n${text}`);
    if (isWanted) say(text);
    return isWanted;
  },
};
// #endregion

// #region choose-sandbox
const nextPort = (offset) => Number(location.port) + offset;
const sandbox = location.search.includes('static')
  ? { staticUrl: `http://127.0.0.1:${nextPort(2)}/static-proxy.html` }
  : { base: `http://chat.localhost:${nextPort(1)}` };
// #endregion

// #region show
defineMcpApp();
const { tools } = await mcp('tools/list');

const show = async (name, input) => {
  const app = document.createElement('mcp-app');
  app.setAttribute('server-name', 'weather');
  app.on_resources_read = (params) => mcp('resources/read', params);
  app.on_tools_call = (params) => mcp('tools/call', params);
  // The tools' _meta.ui.visibility says which of them the app may call.
  Object.assign(app, { sandbox, policy, tools, toolInput: input });
  app.tool = tools.find((tool) => tool.name === name);
  thread.append(app); // the app loads while the tool runs
  app.sendToolResult(await mcp('tools/call', { name, arguments: input }));
};
// #endregion

composer.addEventListener('submit', (event) => {
  event.preventDefault();
  const city = composer.elements.city.value;
  say(`Weather in ${city}`);
  show('weather_dashboard', { city }).catch((error) => say(`That did not work: ${error.message}`));
});
