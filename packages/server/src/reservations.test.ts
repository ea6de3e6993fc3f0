import { describe, expect, onTestFinished } from 'vitest';
import { verifies } from '../../../test/verifies.js';
import { registerAppResource, registerAppTool, toClaudeDomain } from './index.js';
import { generations, html, metaOf, says } from './wire.test-support.js';

const uri = 'ui://reserved/app.html';

describe.each(generations)('on $generation', ({ open }) => {
  verifies('SERVER-019', 'an address of an app serves apps alone, whatever a function returns', async () => {
    const wire = await open((server) => {
      const item = (address: string, mimeType: string) => ({
        contents: [
          { uri: address, mimeType, text: html },
          { uri: 'note://beside', mimeType: 'text/plain', text: 'free' },
        ],
      });
      registerAppResource(server, 'A', 'ui://a', {}, () => item('ui://a', 'text/html;profile=mcp-app'));
      registerAppResource(server, 'B', 'ui://b', {}, () => item('ui://b', 'text/plain'));
      registerAppResource(server, 'C', 'ui://c', {}, () => item('UI://elsewhere', 'application/json'));
      for (const mimeType of ['text/plain', 'text/html', 'text/html+skybridge', 'application/json'])
        expect(() => registerAppResource(server, 'D', 'ui://d', { mimeType }, html), mimeType).toThrow(
          'none of an app',
        );
    });
    expect(await wire.readResource('ui://a')).toHaveLength(2);
    for (const wrong of ['ui://b', 'ui://c'])
      await expect(wire.readResource(wrong), wrong).rejects.toThrow(/ui:\/\/ is for apps|internal error/i);
    expect((await wire.listResources()).map((resource) => resource['mimeType'])).toEqual(
      Array.from({ length: 3 }, () => 'text/html;profile=mcp-app'),
    );
  });

  verifies('SERVER-011', 'each host is given its domain in the form its documentation asks for', async () => {
    const domain = toClaudeDomain('https://weather.example/mcp');
    expect(domain).toBe('6b9cd9b597a6ebc53fbffc518d05b7fc.claudemcpcontent.com');
    const wire = await open((server) => {
      const openai = { domain: 'https://weather.example' };
      registerAppTool(server, 'show', { ui: { template: html, domain, openai } }, () => says('x'));
      registerAppTool(server, 'plain', { ui: { template: html, domain, openai: true } }, () => says('x'));
    });
    const [show, plain] = await wire.listResources();
    expect(metaOf(show)).toMatchObject({
      ui: { domain },
      'openai/widgetDomain': 'https://weather.example',
    });
    // Claude's host name would be no answer to ChatGPT.
    expect(metaOf(plain)).not.toHaveProperty(['openai/widgetDomain']);
  });
});

verifies('SERVER-013', 'an app that does not say whether it wants a border is named, once', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const [, { open }] = generations;
  for (let times = 0; times < 2; times += 1)
    await open((server) => {
      registerAppTool(server, 'silent', { ui: { template: html, resourceUri: uri } }, () => says('x'));
      registerAppTool(server, 'says', { ui: { template: html, prefersBorder: false } }, () => says('x'));
      registerAppResource(server, 'Wire', 'ui://b/1', { _meta: { ui: { prefersBorder: true } } }, html);
      // What a function will say is not known yet.
      registerAppResource(server, 'Later', 'ui://b/2', {}, () => html);
    });
  const about = (address: string): string[] =>
    warnings.map(({ message }) => message).filter((message) => message.includes(address));
  await expect.poll(() => about(uri)).not.toEqual([]);
  expect(about(uri)).toHaveLength(1);
  for (const address of ['ui://widget/says.html', 'ui://b/1', 'ui://b/2']) expect(about(address)).toEqual([]);
});
