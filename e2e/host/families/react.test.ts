import type { MCPAppsRendererProps } from '@casement/react/compat';
import { expect } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { guestOf, seen, useReactPage } from '../react/support.js';
import { eventually } from '../../support/eventually.js';

const host = useReactPage();

const widget = `<p>widget</p><script>window.first = openai.widgetState;</script>`;

/** Renders a call whose app is a widget, with what it last had kept. */
const render = (more: Partial<MCPAppsRendererProps>) =>
  host.page.evaluate(
    ([html, base, given]) => {
      const { createElement, createRoot, McpHostProvider, MCPAppsRenderer, toServer } = window.rx;
      const list = (name: string): unknown[] => (window.seen[name] ??= []);
      const value = {
        sandbox: { base },
        toServer: () => ({
          ...toServer({ base, html }),
          readResource: async ({ uri }: { uri: string }) => ({
            contents: [{ uri, mimeType: 'text/html+skybridge', text: html }],
          }),
        }),
      };
      createRoot(document.body.appendChild(document.createElement('main'))).render(
        createElement(
          McpHostProvider,
          { value },
          createElement(MCPAppsRenderer, {
            serverId: 'pizza',
            toolCallId: 'call-7',
            toolName: 'show',
            resourceUri: 'ui://contract/app',
            toolMetadata: { 'openai/outputTemplate': 'ui://contract/app' },
            toolInput: {},
            onWidgetStateChange: (id, state) => list('states').push([id, state]),
            ...given,
          }),
        ),
      );
    },
    [widget, host.world.base, more] as const,
  );

const inWidget = async (script: string, index = 0): Promise<unknown> => {
  const frame = await guestOf(host.page, index);
  await frame.waitForFunction(() => 'openai' in window);
  return frame.evaluate(`(async () => { ${script} })()`);
};

verifies(
  'S1-46',
  'MCPAppsRenderer: a widget’s state is told with its call, and given back when the call is shown again',
  async () => {
    await render({});
    const status = () => host.page.locator('[role="group"]').first().getAttribute('data-app-status');
    await eventually(status).toBe('ready');
    expect(await inWidget('return openai.widgetState')).toBeNull();
    await inWidget('await openai.setWidgetState({ tab: 2 })');
    expect(await seen(host.page, 'states')).toEqual([['call-7', { tab: 2 }]]);
    expect(await host.page.locator('iframe').getAttribute('src')).toMatch(/\/proxy\?v=[^&]+&p=/);
    await render({ widgetState: { tab: 2 } });
    await eventually(() => host.page.locator('iframe').count()).toBe(2);
    await eventually(() => inWidget('return window.first', 1)).toEqual({ tab: 2 });
    expect(host.errors).toEqual([]);
  },
);
