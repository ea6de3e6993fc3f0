import { CasementError, type ErrorCode } from '../errors.js';
import { isRecord, readOwn } from '../is-record.js';
import type { AppFamily, MetadataFinding } from './metadata.js';
import { toPrintable } from '../printable.js';
import { classifyAppMime, isRemoteDom } from './mime.js';
import { findUriFault } from './uri-fault.js';

/** Bounds of readAppHtml. */
export interface AppHtmlLimits {
  readonly maxBytes?: number;
  /** Of a resource inside a tool's result, which may be MCP-UI's. */
  readonly isEmbedded?: boolean;
}

/** The HTML of an app and what was noticed on the way. */
export interface AppHtml {
  html: string;
  mime: string;
  family: AppFamily;
  /** The content item itself, for readResourceUi. */
  item: Record<string, unknown>;
  findings: MetadataFinding[];
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Finds and decodes the app's HTML in what resources/read returned, or throws one of the resource-* codes. */
export const readAppHtml = (contents: unknown, uri: string, limits: AppHtmlLimits = {}): AppHtml => {
  const fault = findUriFault(uri);
  if (fault !== undefined) {
    throw refuse('resource-uri', `The UI resource URI is refused because ${fault}: ${toPrintable(uri)}`, {
      hint: 'Use a URI that starts with ui://.',
    });
  }
  const findings: MetadataFinding[] = [];
  const item = findItem(contents, uri, findings);
  const family = readFamily(item, limits.isEmbedded ?? false, findings);
  const html = readBody(item, limits.maxBytes ?? DEFAULT_MAX_BYTES, findings);
  if (html.trim() === '') {
    throw refuse('resource-empty', `The UI resource ${toPrintable(uri)} is empty.`, {
      hint: 'Check that the app was built before the server started.',
    });
  }
  if (family !== 'mcp-ui' && /^\s*https?:\/\/\S+\s*$/.test(html.slice(0, 4096))) {
    findings.push({
      code: 'html-is-url',
      message: 'The UI resource holds a bare URL instead of HTML.',
      fix: 'Return the HTML document itself.',
      path: 'contents.text',
    });
  }
  // readFamily has accepted it as a string.
  return { html, mime: item['mimeType'] as string, family, item, findings };
};

const refuse = (
  code: ErrorCode,
  message: string,
  details: { hint: string; cause?: unknown },
): CasementError => new CasementError(code, message, { step: 'resource', ...details });

/** The rule (D11): the item with the asked URI; a lone item may have another; otherwise none. */
const findItem = (contents: unknown, uri: string, findings: MetadataFinding[]): Record<string, unknown> => {
  const list: unknown = Array.isArray(contents) ? contents : readOwn(contents, 'contents');
  const items = Array.isArray(list) ? list.filter(isRecord) : [];
  const [first] = items;
  if (!first) {
    throw refuse('resource-empty', `The server returned no content for ${toPrintable(uri)}.`, {
      hint: 'Return one content item with the HTML as text.',
    });
  }
  const matching = items.filter((item) => readOwn(item, 'uri') === uri);
  if (items.length > 1) {
    findings.push({
      code: 'several-items',
      message: `The server returned ${items.length} content items; the first with the asked URI is used.`,
      fix: 'Return exactly one content item.',
      path: 'contents',
    });
  }
  if (matching[0]) return matching[0];
  if (items.length > 1) {
    throw refuse(
      'resource-uri',
      `None of the ${items.length} content items has the URI ${toPrintable(uri)}.`,
      {
        hint: 'Give the content item the URI that was asked for.',
      },
    );
  }
  findings.push({
    code: 'uri-mismatch',
    message: `The content item calls itself ${toPrintable(readOwn(first, 'uri'))} instead of ${toPrintable(uri)}.`,
    fix: 'Give the content item the URI that was asked for.',
    path: 'contents[0].uri',
  });
  return first;
};

const readFamily = (
  item: Record<string, unknown>,
  isEmbedded: boolean,
  findings: MetadataFinding[],
): AppFamily => {
  const mime = readOwn(item, 'mimeType');
  const kind = classifyAppMime(mime);
  if (kind === 'mcp-apps') return 'mcp-apps';
  if (kind === 'mcp-apps-legacy' || kind === 'openai') {
    findings.push({
      code: 'legacy-mime',
      message: `The resource has the media type ${toPrintable(mime)}.`,
      fix: "Use today's type: text/html;profile=mcp-app.",
      path: 'contents.mimeType',
    });
    return kind === 'openai' ? 'openai' : 'mcp-apps';
  }
  if (isRemoteDom(mime)) {
    throw refuse(
      'family-unsupported',
      'The UI is a Remote DOM script of MCP-UI, which this host does not run.',
      {
        hint: 'Return an HTML document of the type text/html;profile=mcp-app.',
      },
    );
  }
  if (kind === 'mcp-ui' && isEmbedded) return 'mcp-ui';
  const said = mime === undefined ? 'no media type' : `the media type ${toPrintable(mime)}`;
  throw refuse('resource-mime', `The UI resource has ${said}, which is not an MCP App.`, {
    hint: 'Set mimeType to text/html;profile=mcp-app on the content item.',
  });
};

const readBody = (item: Record<string, unknown>, maxBytes: number, findings: MetadataFinding[]): string => {
  const text = readOwn(item, 'text');
  const blob = readOwn(item, 'blob');
  if (text !== undefined && blob !== undefined) {
    findings.push({
      code: 'text-and-blob',
      message: 'The content item has both text and blob; text is used.',
      fix: 'Return only one of them.',
      path: 'contents',
    });
  }
  if (typeof text === 'string') {
    // Three bytes is the most one UTF-16 unit can take: only a doubtful length is measured exactly.
    const bytes = text.length * 3 <= maxBytes || text.length > maxBytes ? text.length : toUtf8Length(text);
    if (bytes > maxBytes) throw toTooLarge(bytes, maxBytes);
    return text;
  }
  if (text !== undefined || (blob !== undefined && typeof blob !== 'string')) {
    throw refuse('resource-undecodable', 'The body of the UI resource is not a string.', {
      hint: 'Return the HTML as a text string or base64 blob.',
    });
  }
  if (blob === undefined) return '';
  const bytes = Math.floor((blob.length * 3) / 4) - 2;
  if (bytes > maxBytes) throw toTooLarge(bytes, maxBytes);
  return decodeBlob(blob);
};

const toUtf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** atob alone yields Latin-1: characters beyond ASCII need the second step. */
const decodeBlob = (blob: string): string => {
  try {
    const bytes = Uint8Array.from(atob(blob), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuse('resource-undecodable', 'The blob of the UI resource is not base64 of UTF-8 text.', {
      hint: 'Encode the HTML as UTF-8 and then as base64, or return it as text.',
      cause,
    });
  }
};

const toTooLarge = (bytes: number, maxBytes: number): CasementError =>
  refuse(
    'resource-too-large',
    `The UI resource is too large: ${toMebibytes(bytes)} MiB, the limit is ${toMebibytes(maxBytes)} MiB.`,
    { hint: 'Load large assets from a declared domain or through a tool.' },
  );

const toMebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
