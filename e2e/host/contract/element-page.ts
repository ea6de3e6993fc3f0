import type { McpAppElement } from '@casement/host/element';
import { defineMcpApp } from '@casement/host/element';
import { createAnswers, createMessage, shownTool, toServer } from './page-answers.js';
import type { Heard } from './page-contract.js';

const heard: Heard[] = [];
let app: McpAppElement;

const toApp = (): McpAppElement => app;

defineMcpApp();
window.contract = {
  heard,
  show(spec) {
    const answer = createAnswers(spec, heard);
    app = document.createElement('mcp-app');
    app.sandbox = { base: spec.base };
    app.server = toServer(spec);
    if (spec.hasTool === false) app.resourceUri = 'ui://contract/app';
    else app.tool = shownTool;
    app.displayModes = spec.displayModes;
    app.limits = spec.limits;
    app.fallbackText = spec.fallback;
    app.policy = { openLink: (url) => heard.push({ what: 'opened', value: url }), createMessage };
    const { answers = {} } = spec;
    if (answers.link)
      app.addEventListener('mcp-app-open-link', ({ detail }) => detail.respond(answer('link', detail)));
    if (answers.message)
      app.addEventListener('mcp-app-message', ({ detail }) => detail.respond(answer('message', detail)));
    if (answers.download)
      app.addEventListener('mcp-app-download', ({ detail }) => detail.respond(answer('download', detail)));
    if (answers.sampling)
      app.addEventListener('mcp-app-sampling', ({ detail }) => detail.respond(answer('sampling', detail)));
    if (answers.teardown)
      app.addEventListener('mcp-app-request-teardown', ({ detail }) =>
        detail.respond(answer('teardown', {}) !== false),
      );
    if (spec.hearsModelContext)
      app.addEventListener('mcp-app-update-model-context', ({ detail }) =>
        heard.push({ what: 'model-context', value: detail.context ?? null }),
      );
    app.addEventListener('mcp-app-notifications-message', ({ detail }) =>
      heard.push({ what: 'log', value: detail.data }),
    );
    app.addEventListener('mcp-app-failure', ({ detail }) =>
      heard.push({ what: 'failure', value: detail.code }),
    );
    document.body.append(app);
  },
  showOther(spec) {
    const other = document.createElement('mcp-app');
    Object.assign(other, { sandbox: { base: spec.base }, server: toServer(spec), tool: shownTool });
    other.limits = spec.limits;
    other.style.cssText = 'position: absolute; top: 0; width: 300px';
    document.body.append(other);
  },
  change(changes) {
    const { toolInputPartial, toolInputText, toolInput, toolResult, toolCancelled } = changes;
    if (toolInputPartial) app.sendToolInputPartial(toolInputPartial);
    if (toolInputText !== undefined) app.sendToolInputText(toolInputText);
    if (toolInput) app.toolInput = toolInput;
    if (toolResult) app.toolResult = toolResult;
    if (toolCancelled !== undefined) app.sendToolCancelled(toolCancelled);
    if (changes.hostContext) app.hostContext = changes.hostContext;
    if (changes.displayMode) app.displayMode = changes.displayMode;
  },
  snapshot: () => toApp().getSnapshot(),
  controls: toApp,
  async remove() {
    await app.teardown('unmounted');
    app.remove();
  },
};
