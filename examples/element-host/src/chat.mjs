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
const knownHosts = ['en.wikipedia.org'];
const policy = {
  onOpenLink: async ({ host, url }) =>
    knownHosts.includes(host) || confirm(`Open a page of ${host}?\n${url}`),
  onMessage: async ({ content, app }) => {
    const text = content.map((block) => block.text ?? `(${block.type})`).join('\n');
    const isWanted = confirm(`An app of ${app.server} wants to write in this chat:\n${text}`);
    if (isWanted) say(text);
    return isWanted;
  },
};
// #endregion

// #region choose-sandbox
const nextPort = (offset) => Number(location.port) + offset;
const sandbox =
  location.search === '?static'
    ? { staticUrl: `http://127.0.0.1:${nextPort(2)}/static-proxy.html` }
    : { base: `http://chat.localhost:${nextPort(1)}` };
// #endregion

// #region show
defineMcpApp();
const { tools } = await mcp('tools/list');

const show = async (name, input) => {
  const app = document.createElement('mcp-app');
  app.setAttribute('server-name', 'weather');
  app.sandbox = sandbox;
  app.tools = tools; // their _meta.ui.visibility says which of them the app may call
  app.tool = tools.find((tool) => tool.name === name);
  app.toolInput = input;
  app.on_resources_read = (params) => mcp('resources/read', params);
  app.on_tools_call = (params) => mcp('tools/call', params);
  app.policy = policy;
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
