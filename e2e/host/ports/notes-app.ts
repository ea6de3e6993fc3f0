import bridge from '../../fixtures/guest-bridge.js?text';

/** What the app did and what it was answered, written down for the test. */
const script = `
const { hostCapabilities } = (await bridge.initialize()).result;
const ask = async (method, params = {}) => {
  const { result, error } = await bridge.request(method, params);
  return result ?? { error };
};
const heard = (method) => bridge.received.filter((message) => message.method === method);
const until = async (there) => {
  for (let turn = 0; turn < 200 && !there(); turn += 1) await new Promise((next) => setTimeout(next, 50));
};
await until(() => heard('ui/notifications/tool-result').length > 0);
document.getElementById('shown').textContent =
  heard('ui/notifications/tool-result')[0]?.params.structuredContent.title;
const report = {
  serverTools: hostCapabilities.serverTools,
  serverResources: hostCapabilities.serverResources,
  tools: (await ask('tools/list')).tools.map(({ name }) => name),
  resources: await ask('resources/list'),
  templates: await ask('resources/templates/list'),
  prompts: await ask('prompts/list'),
  read: await ask('resources/read', { uri: 'note://one' }),
  subscribed: await ask('resources/subscribe', { uri: 'note://one' }),
};
report.renamed = await ask('tools/call', {
  name: 'rename',
  arguments: { title: 'Second title' },
  _meta: { progressToken: 'mine' },
});
await until(() => heard('notifications/resources/updated').length > 0);
report.progress = heard('notifications/progress').map(({ params }) => params);
report.updated = heard('notifications/resources/updated').map(({ params }) => params);
await until(() => heard('notifications/tools/list_changed').length > 0);
report.toolsChanged = heard('notifications/tools/list_changed').length;
report.unsubscribed = await ask('resources/unsubscribe', { uri: 'note://one' });
report.again = await ask('resources/read', { uri: 'note://one' });
report.signIn = await ask('tools/call', { name: 'sign_in' });
report.hidden = await ask('tools/call', { name: 'erase' });
bridge.report(report);
`;

/** The app of the notes. */
export const notesApp = `<!doctype html><title>notes</title><body><p id="shown"></p><pre id="report"></pre><script>${bridge}</script><script type="module">${script}</script></body>`;
