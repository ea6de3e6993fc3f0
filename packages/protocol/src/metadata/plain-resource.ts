import { MCP_APP_MIME } from '../constants.js';
import { isRecord, readOwn } from '../is-record.js';
import type { AppHtml } from './app-html.js';
import type { ResourceUi } from './resource-metadata.js';
import { isUiUri } from './resource-uri.js';

/*
 * Apps about which there is nothing to say are read here, in few words. All others are left to what says it
 * (`readAppHtml`, `readResourceUi`, `readToolUi`), which a page loads then.
 */

/** Whether none of these keys but `ui` and its old spelling says anything about a UI, in any spelling. */
const isQuiet = (bag: unknown): boolean =>
  bag === undefined ||
  (isRecord(bag) && !Object.keys(bag).some((key) => /^(?:ui(?=\W)(?!\/resourceUri$)|openai\/)/.test(key)));

/** The members of `_meta.ui`, if nothing else says anything about a UI and these are all known. */
const readPlainUi = (owner: unknown, known: readonly string[]): Record<string, unknown> | undefined => {
  const meta = readOwn(owner, '_meta');
  const given = readOwn(meta, 'ui');
  const ui = given === undefined ? {} : given;
  const isPlain = readOwn(owner, 'meta') === undefined && isQuiet(meta) && isRecord(ui);
  return isPlain && Object.keys(ui).every((key) => known.includes(key)) ? ui : undefined;
};

/** Whether there is nothing to say about how a tool links its UI: once, in the one place of the specification. */
export const isPlainTool = (tool: unknown): boolean => {
  try {
    const annotations = readOwn(tool, 'annotations');
    const ui = readPlainUi(tool, ['resourceUri', 'visibility']);
    const flat = readOwn(readOwn(tool, '_meta'), 'ui/resourceUri');
    return (
      ui !== undefined &&
      (annotations === undefined || (isQuiet(annotations) && !('ui' in Object(annotations)))) &&
      (ui['resourceUri'] === undefined || isUiUri(ui['resourceUri'])) &&
      (flat === undefined || flat === ui['resourceUri']) &&
      (ui['visibility'] === undefined || Array.isArray(ui['visibility']))
    );
  } catch {
    // A getter or proxy.
    return false;
  }
};

/**
 * The HTML and metadata of a resource that is as the specification has it and declares nothing but its border;
 * undefined for any other, and for one whose listing has metadata too.
 */
export const readPlainResource = (
  contents: unknown,
  uri: string,
  listing: unknown,
  maxBytes: number,
): (AppHtml & { ui: ResourceUi }) | undefined => {
  try {
    const list: unknown = Array.isArray(contents) ? contents : readOwn(contents, 'contents');
    const [item, ...others]: readonly unknown[] = Array.isArray(list) ? list : [];
    const ui = readPlainUi(item, ['prefersBorder']);
    const html = readOwn(item, 'text');
    const border = ui?.['prefersBorder'];
    const isPlain =
      others.length === 0 &&
      isUiUri(uri) &&
      readOwn(item, 'uri') === uri &&
      readOwn(item, 'mimeType') === MCP_APP_MIME &&
      readOwn(item, 'blob') === undefined &&
      readOwn(listing, '_meta') === undefined &&
      readOwn(listing, 'meta') === undefined &&
      (border === undefined || typeof border === 'boolean');
    // Three bytes is the most one UTF-16 unit can take.
    if (!isPlain || !ui || !isRecord(item) || typeof html !== 'string' || html.length * 3 > maxBytes)
      return undefined;
    // Neither empty nor an address.
    if (!/^\s*</.test(html)) return undefined;
    return {
      html,
      mime: MCP_APP_MIME,
      family: 'mcp-apps',
      item,
      findings: [],
      ui: {
        permissions: [],
        ...(border === undefined ? {} : { prefersBorder: border }),
        provenance: {
          csp: 'none',
          permissions: 'none',
          domain: 'none',
          prefersBorder: border === undefined ? 'none' : 'content',
        },
        findings: [],
      },
    };
  } catch {
    // A getter or proxy.
    return undefined;
  }
};
