import type { AppFamily } from '@casement/protocol';
import { frameStyle } from './generated/frame.js';
import { opaqueScript } from './generated/opaque.js';
import { probeScript } from './generated/probe.js';
import { proxyScript } from './generated/proxy.js';
import { loaderScripts } from './loader-scripts.js';

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const toPage = (values: Readonly<Record<string, string>>, head: string, script: string): string => {
  const attributes = Object.entries(values).map(
    ([name, value]) => ` data-${name}="${escapeAttribute(value)}"`,
  );
  return `<!doctype html><html lang="en"${attributes.join('')}><head><meta charset="utf-8"><title>MCP App</title>${head}</head><body><script>${script}</script></body></html>`;
};

/** The trusted page between host and app: the same code for every app. */
export const toProxyPage = (values: { host: string; app: string; allow: string; sandbox: string }): string =>
  toPage(values, `<style>${frameStyle}</style>`, proxyScript);

/** Fallback 1: proxy and policy carrier of an opaque app. */
export const toOpaquePage = (values: { host: string; allow: string; family: AppFamily }): string =>
  toPage(values, `<style>${frameStyle}</style>`, opaqueScript);

/** The page that says what became of a question. */
export const toProbePage = (verdict: string): string => toPage({ verdict }, '', probeScript);

/** The page that becomes the app, in the way of its family. */
export const toLoaderPage = (values: { proxy: string }, family: AppFamily): string =>
  toPage(values, '', loaderScripts[family]);
