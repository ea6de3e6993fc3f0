import type { DisplayMode, EvidenceMode, Tool } from '@casement/protocol';
import { displayModes } from '@casement/protocol/start';
import type { SandboxTarget } from '../core/session-options.js';
import type { McpAppSettings } from './element-settings.js';

type Source = HTMLElement & Readonly<McpAppSettings>;

/** The name assistive technology hears: the label, else the title. */
export const readLabel = (element: Source): string | undefined =>
  element.getAttribute('aria-label') || element.getAttribute('title') || undefined;

/** The sandbox from property or attribute; undefined as long as there is none. */
export const readSandbox = (element: Source): SandboxTarget | undefined => {
  const base = element.getAttribute('sandbox-base');
  const staticUrl = element.getAttribute('static-proxy');
  const given = element.sandbox ?? (base ? { base } : staticUrl ? { staticUrl } : undefined);
  if (!given || !('staticUrl' in given)) return given;
  const { reason = 'This page uses the static proxy file.' } = given;
  return { staticUrl: new URL(given.staticUrl, element.ownerDocument.baseURI).href, reason };
};

/** The app's address: the one given, else one for HTML that has none; what the tool names is read by the session. */
export const readResourceUri = (element: Source): string | undefined =>
  element.resourceUri ??
  element.getAttribute('resource-uri') ??
  (element.resourceHtml === undefined || namesUi(element.tool) ? undefined : 'ui://prefetched/app');

/** Whether a tool names a UI in any of the places where servers write it. */
const namesUi = (tool: (Tool & { readonly meta?: unknown }) | undefined): boolean =>
  JSON.stringify([tool?._meta, tool?.meta, tool?.annotations]).includes('"ui://');

/** The modes that the page can show, including the requested one. */
export const readDisplayModes = (element: Source): DisplayMode[] => {
  const listed = element.displayModes ?? (element.getAttribute('display-modes') ?? '').split(/\s+/);
  const wished = element.getAttribute('display-mode') ?? 'inline';
  return displayModes.filter((mode) => mode === wished || listed.some((name) => name === mode));
};

/** What is collected in the app's page; an attribute that is no known word changes nothing. */
export const readEvidence = (element: Source): EvidenceMode | undefined =>
  element.evidence ?? evidenceModes.find((mode) => mode === element.getAttribute('evidence'));

const evidenceModes = ['none', 'errors', 'full'] as const;

/** A display mode by its name. */
export const toDisplayMode = (text: string | null): DisplayMode | undefined =>
  displayModes.find((mode) => mode === text);
