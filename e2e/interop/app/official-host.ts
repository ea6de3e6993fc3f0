import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { officialVersions, type OfficialVersion } from '../../../test/interop/official-app.js';
import { bundle } from '../../support/bundle.js';
import { borrowPage } from '../../support/borrowed-page.js';

type Params = Record<string, unknown>;

/** The official bridge and what it was asked, on a page of its own. */
interface OfficialHost {
  readonly asked: { readonly what: string; readonly value: unknown }[];
  readonly bridge: {
    sendToolInput(params: Params): Promise<void>;
    sendToolResult(params: Params): Promise<void>;
    sendToolCancelled(params: Params): Promise<void>;
    setHostContext(context: Params): void;
    listTools(params: Params): Promise<{ tools: Params[] }>;
    callTool(params: Params): Promise<Params>;
    teardownResource(params: Params): Promise<Params>;
    getAppVersion(): Params | undefined;
  };
}

declare global {
  interface Window {
    openOfficial(address: string): Promise<void>;
    officialHost: OfficialHost;
  }
}

const toScript = (folder: string): string => `
import { AppBridge, PostMessageTransport } from ${JSON.stringify(join(folder, 'dist/src/app-bridge.js'))};
window.openOfficial = async (address) => {
  const asked = [];
  const hear = (what, answer) => (value) => { asked.push({ what, value }); return answer; };
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frame.style.cssText = 'width: 400px; height: 150px; border: 0';
  document.body.append(frame);
  const context = { theme: 'dark', displayMode: 'inline', availableDisplayModes: ['inline', 'fullscreen'], styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' }, css: { fonts: '@font-face { font-family: x; src: local(x); }' } } };
  const capabilities = { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, message: { text: {} }, updateModelContext: { structuredContent: {} } };
  const bridge = new AppBridge(null, { name: 'official', version: '1.0.0' }, capabilities, { hostContext: context });
  bridge.oninitialized = hear('initialized');
  bridge.onmessage = hear('message', {});
  bridge.onopenlink = hear('link', {});
  bridge.onupdatemodelcontext = hear('context', {});
  bridge.onrequestdisplaymode = async ({ mode }) => ({ mode });
  bridge.onloggingmessage = hear('log');
  bridge.onreadresource = async ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'a note' }] });
  bridge.oncalltool = async ({ name, arguments: args }) => { if (name === 'fail') throw new Error('The oven is cold.'); asked.push({ what: 'tool ' + name, value: args }); return { content: [{ type: 'text', text: 'done' }], structuredContent: args }; };
  bridge.onsizechange = (size) => { asked.push({ what: 'size', value: size }); if (size.height !== undefined) frame.style.height = size.height + 'px'; };
  window.officialHost = { asked, bridge };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = address;
};`;

/** A page of the host's origin on which the official bridge shows an app of another. */
export const openOfficialHost = async (
  browser: Browser,
  origin: string,
  version: OfficialVersion,
  address: string,
): Promise<Page> => {
  const folder = officialVersions[version];
  const script = await bundle({ stdin: { contents: toScript(folder), resolveDir: folder } });
  const page = await borrowPage(browser);
  await page.goto(`${origin}/`);
  await page.addScriptTag({ content: script });
  await page.evaluate((guest) => window.openOfficial(guest), address);
  return page;
};
