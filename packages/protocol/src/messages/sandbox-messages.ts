import { isRecord } from '../is-record.js';
import {
  anyRecord,
  boolean,
  check,
  finiteNumber,
  list,
  oneOf,
  openObject,
  text,
  type Infer,
} from './schema.js';

/** Whatever starts so stays between host and proxy (HOST-078). */
export const SANDBOX_METHOD_PREFIX = 'ui/notifications/sandbox-';

/** Judged by the sandbox; `object` so that a declared type of any shape fits. */
const anyObject = check<object>(isRecord, 'an object');

/** The HTML on its way to the proxy; a requested `sandbox` string is read and ignored (SANDBOX-014). */
export const sandboxResourceReadySchema = openObject(
  { html: text },
  {
    sandbox: text,
    csp: anyObject,
    permissions: anyObject,
    /** The loader installs window.mcpApp before the HTML: apps of an older style expect it. */
    shim: boolean,
    /** Whose loader the static file takes; everywhere else the policy in the address says it. */
    family: oneOf('mcp-apps', 'openai', 'mcp-ui'),
    /** An MCP-UI app that is a page of its own: the loader frames this address instead of writing the HTML. */
    url: text,
    /** How much the loader reports of the app's page. */
    evidence: oneOf('none', 'errors', 'full'),
    /** What it runs before the first byte of the app, to report in full. */
    evidenceScript: text,
  },
);

const count = check<number>((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'a count');

/** The proxy can take the HTML: ours says its release, and the origin it puts the app on. */
export const sandboxProxyReadySchema = openObject({}, { release: text, app: text });

/** A loader waits for the HTML; `storage` when it found, before any guest code, that its origin has none. */
export const sandboxLoaderReadySchema = openObject({}, { storage: oneOf('blocked') });

/**
 * The inner frame fired load, the n-th time since its loader reported; `left` when the app said it went away before,
 * `app` when it is the load that the app's own document has announced.
 */
export const sandboxFrameLoadedSchema = openObject(
  { sinceLoaderReady: count },
  { left: boolean, app: boolean },
);

const place = { sourceFile: text, line: finiteNumber, column: finiteNumber };

/** A policy violation as the guest's own page reports it: forgeable. */
export const sandboxViolationSchema = openObject(
  { directive: text, blockedUri: text },
  { ...place, sample: text, disposition: text },
);
export type SandboxViolation = Infer<typeof sandboxViolationSchema>;

/** Messages of the guest the proxy did not pass on. */
export const sandboxDroppedSchema = openObject(
  { count, reason: oneOf('flood', 'too-large', 'not-json-rpc', 'reserved') },
  { method: text },
);

/** An uncaught error or rejection as the guest's own page reports it: forgeable. */
export const sandboxScriptErrorSchema = openObject({ message: text }, { ...place, stack: text });
export type SandboxScriptError = Infer<typeof sandboxScriptErrorSchema>;

/**
 * What the guest's own page reports besides, and how many reports it kept back: forgeable. What the items are is read
 * by `parseEvidence`, which comes with the first of them.
 */
export const sandboxEvidenceSchema = openObject({ items: list(anyRecord, 200) }, { left: count });

/**
 * The external page that is the app has loaded, or sent its first message since. Its loader reports this, so it can be
 * forged.
 */
export const sandboxPageLoadedSchema = openObject({ spoke: boolean });

/**
 * How the app's document does, as the proxy sees it: `silent` when its thread has not answered for a while, `alive`
 * when it answers again, `gone` when its document ended without leaving for another (its process crashed),
 * `stood-still` when the proxy itself could not run for `ms`, as it shares a thread with the app or with the page.
 */
export const sandboxAppHealthSchema = openObject(
  { state: oneOf('silent', 'alive', 'gone', 'stood-still') },
  { ms: finiteNumber },
);
