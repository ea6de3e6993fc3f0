import type { ErrorCode, MetadataFinding, ResourceListing, Tool } from '@casement/protocol';
import { CasementError, isRecord } from '@casement/protocol/start';
import { isPlainTool, readPlainResource } from '@casement/protocol/tools';
import { throwCodeMissing } from '../missing-code.js';
import type { AppSize } from '../surface.js';
import type { AppResource, ToAppResource } from './app-resource.js';
import { withTimeLimit } from './time-limit.js';

/*
 * Loaded on demand, like the sandbox's builders: what is done with the answer to resources/read.
 */

/** The readers that say what is odd; most tools and resources do without them. */
const loadReaders = () => import('../loaded/unusual-app.js').catch(throwCodeMissing);

/** What is odd about the tool itself: how it links its UI, and what it declares that belongs on the resource. */
export const toToolFindings = async (tool: Tool): Promise<MetadataFinding[]> => {
  if (isPlainTool(tool)) return [];
  const { readResourceUi, readToolUi } = await loadReaders();
  return [...readToolUi(tool).findings, ...readResourceUi({ content: {}, tool }).findings];
};

/** What one read works with; the checks themselves are loaded on demand. */
interface ResourceRead {
  readonly uri: string;
  readonly answer: Promise<unknown>;
  /** Metadata in the listing is a fallback per field. */
  readonly listing: Promise<readonly ResourceListing[]>;
  readonly controller: AbortController;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** The address' last content and metadata, as one text. */
  readonly seen: Map<string, string>;
  known(): AppResource | undefined;
}

// A slow listing must not keep an app from showing.
const listingMs = 3_000;

/** Waits for the answer within its limit, checks it, gathers the metadata; throws one of the codes of this step. */
export const finishRead = async (read: ResourceRead): Promise<AppResource> => {
  const { uri, answer, controller, maxBytes, timeoutMs } = read;
  const { signal } = controller;
  const toTimeout = (): CasementError => {
    controller.abort();
    return new CasementError('resource-timeout', `The server did not return ${uri} in time.`, {
      step: 'resource',
      hint: 'Check what the server does in resources/read; it may wait for a sign-in or a network call.',
    });
  };
  try {
    const [result, entry] = await Promise.all([
      withTimeLimit(answer, timeoutMs, toTimeout, signal),
      findListed(read),
    ]);
    return compare(read, await toAppResource(uri, result, entry, maxBytes, { known: read.known() }));
  } catch (error) {
    throw toResourceError(error, uri);
  }
};

const findListed = async ({
  uri,
  listing,
  controller,
}: ResourceRead): Promise<ResourceListing | undefined> => {
  const toError = (): Error => new Error('The listing took too long.');
  try {
    const entries = await withTimeLimit(listing, listingMs, toError, controller.signal);
    return entries.find((entry) => entry.uri === uri);
  } catch {
    // A server need not list its UI resources; the content item alone then decides.
    return undefined;
  }
};

/** A document that is still the same keeps its entry: the text that was just read is not held a second time. */
const compare = ({ uri, seen, known }: ResourceRead, fresh: AppResource): AppResource => {
  const { html, ...rest } = fresh;
  const print = JSON.stringify(fresh.hash === '' ? fresh : rest);
  const last = seen.get(uri);
  seen.set(uri, print);
  if (last === undefined) return { ...fresh, cache: 'new' };
  return last === print
    ? { ...fresh, html: known()?.html ?? html, cache: 'revalidated' }
    : { ...fresh, cache: 'changed' };
};

/** What was read, checked and with its metadata; throws one of the codes of this step. */
export const toAppResource: ToAppResource = async (
  uri,
  result,
  listing,
  maxBytes,
  { isEmbedded, known } = {},
) => {
  const { html, family, item, findings, ui } =
    readPlainResource(result, uri, listing, maxBytes) ??
    (await loadReaders()).readResource(result, uri, listing, { maxBytes, isEmbedded });
  const preferredSize = readPreferredSize(item);
  return {
    uri,
    html,
    // A port that was told that nothing changed gives the very text that it gave before.
    ...(known?.html === html ? { hash: known.hash, bytes: known.bytes } : await measure(html)),
    family,
    ...(ui.csp ? { csp: ui.csp } : {}),
    permissions: ui.permissions,
    ...(ui.domain === undefined ? {} : { domain: ui.domain }),
    ...(ui.prefersBorder === undefined ? {} : { prefersBorder: ui.prefersBorder }),
    ...(preferredSize ? { preferredSize } : {}),
    provenance: ui.provenance,
    findings: [...findings, ...ui.findings],
    // Never beside another family's global (S1-11).
    shim: family === 'mcp-apps' && (findings.some(isOldType) || /mcpApp|mcp:/.test(html)),
  };
};

const isOldType = ({ code }: MetadataFinding): boolean => code === 'legacy-mime';

/** The size an MCP-UI resource would like to begin with: CSS lengths or numbers; what is not in pixels is no wish. */
const readPreferredSize = (item: unknown): AppSize | undefined => {
  const meta = isRecord(item) ? item._meta : undefined;
  const wish = isRecord(meta) ? meta['mcpui.dev/ui-preferred-frame-size'] : undefined;
  const [width, height] = (Array.isArray(wish) ? wish : isRecord(wish) ? [wish.width, wish.height] : []).map(
    toPixels,
  );
  if (width === undefined && height === undefined) return undefined;
  return { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
};

const toPixels = (length: unknown): number | undefined => {
  const text = typeof length === 'number' || typeof length === 'string' ? String(length).trim() : '';
  return /^\d{1,6}(?:\.\d+)?(?:px)?$/i.test(text) && Number.parseFloat(text) > 0
    ? Number.parseFloat(text)
    : undefined;
};

const measure = async (html: string): Promise<Pick<AppResource, 'hash' | 'bytes'>> => {
  const text = new TextEncoder().encode(html);
  const bytes = text.byteLength;
  // Absent on plain http pages that are not loopback, which a static sandbox may be embedded in.
  if (!globalThis.crypto?.subtle) return { hash: '', bytes };
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return { hash: Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''), bytes };
};

const renamed: Partial<Record<ErrorCode, ErrorCode>> = {
  'server-timeout': 'resource-timeout',
  'peer-timeout': 'resource-timeout',
  'result-too-large': 'resource-too-large',
  'server-exited': 'server-lost',
  'server-unreachable': 'server-lost',
  'server-not-ready': 'server-lost',
};

/** Codes that already say what happened, whoever found it out. */
const kept: ReadonlySet<string> = new Set([
  'server-garbage',
  'server-sign-in',
  'family-unsupported',
  'host-code-missing',
]);

/** Whatever a port throws becomes a failure of this step; the server's own words stay in it. */
const toResourceError = (error: unknown, uri: string): CasementError => {
  const details = { step: 'resource', cause: error } as const;
  if (error instanceof CasementError) {
    if (error.code.startsWith('resource-') || kept.has(error.code)) return error;
    const code = renamed[error.code];
    if (code) return new CasementError(code, error.message, { ...details, hint: error.hint });
  }
  const words = error instanceof Error ? error.message : String(error);
  return new CasementError('resource-missing', `The server could not read ${uri}: ${words}`, {
    ...details,
    hint: 'Register the UI resource the tool names, under exactly the same URI.',
  });
};
