/* global document, location */
import { defineMcpApp } from '@casement/host/element';
import { demoItems } from './demo-items.mjs';

defineMcpApp();
const sandbox = { base: `http://${location.hostname}:${Number(location.port) + 1}` };

// #region element
for (const item of demoItems) {
  const app = document.createElement('mcp-app');
  app.setAttribute('title', item.title);
  app.setAttribute('server-name', 'demo');
  Object.assign(app, { sandbox, resourceHtml: item.resource_html, fallbackText: item.fallback_text });
  app.displayModes = ['inline', 'fullscreen', 'pip'];
  const open = Object.assign(document.createElement('button'), { textContent: `Open ${item.title}` });
  open.hidden = item.display_mode === 'inline';
  open.addEventListener('click', () => (app.displayMode = item.display_mode));
  document.getElementById('apps').append(open, app);
}
// #endregion
