import * as v from 'valibot';
import { isRecord } from '../is-record.js';
import { finiteNumber, openObject, optional } from './open-object.js';

/** Whatever starts so stays between host and proxy (HOST-078). */
export const SANDBOX_METHOD_PREFIX = 'ui/notifications/sandbox-';

/** Judged by the sandbox; `object` so that a declared type of any shape fits. */
const anyObject = v.custom<object>(isRecord, 'Expected an object');

/** The HTML on its way to the proxy; a requested `sandbox` string is read and ignored (SANDBOX-014). */
export const sandboxResourceReadySchema = openObject({
  html: v.string(),
  sandbox: optional(v.string()),
  csp: optional(anyObject),
  permissions: optional(anyObject),
  /** The loader installs window.mcpApp before the HTML: apps of an older style expect it. */
  shim: optional(v.boolean()),
  /** Whose loader the static file takes; everywhere else the policy in the address says it. */
  family: optional(v.picklist(['mcp-apps', 'openai', 'mcp-ui'])),
  /** An MCP-UI app that is a page of its own: the loader frames this address instead of writing the HTML. */
  url: optional(v.string()),
});

const count = v.custom<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  'Expected a count',
);
const place = optional(finiteNumber);

/** The proxy can take the HTML: ours says its release, and the origin it puts the app on. */
export const sandboxProxyReadySchema = openObject({
  release: optional(v.string()),
  app: optional(v.string()),
});

/** A loader waits for the HTML; `storage` when it found, before any guest code, that its origin has none. */
export const sandboxLoaderReadySchema = openObject({ storage: optional(v.picklist(['blocked'])) });

/** The inner frame fired load, the n-th time since its loader reported; `left` when the app said it went away before. */
export const sandboxFrameLoadedSchema = openObject({ sinceLoaderReady: count, left: optional(v.boolean()) });

/** A policy violation as the guest's own page reports it: forgeable. */
export const sandboxViolationSchema = openObject({
  directive: v.string(),
  blockedUri: v.string(),
  sourceFile: optional(v.string()),
  line: place,
  column: place,
  sample: optional(v.string()),
  disposition: optional(v.string()),
});
export type SandboxViolation = v.InferOutput<typeof sandboxViolationSchema>;

/** Messages of the guest the proxy did not pass on. */
export const sandboxDroppedSchema = openObject({
  count,
  reason: v.picklist(['flood', 'too-large', 'not-json-rpc', 'reserved']),
  method: optional(v.string()),
});

/** An uncaught error or rejection as the guest's own page reports it: forgeable. */
export const sandboxScriptErrorSchema = openObject({
  message: v.string(),
  sourceFile: optional(v.string()),
  line: place,
  column: place,
});
export type SandboxScriptError = v.InferOutput<typeof sandboxScriptErrorSchema>;

/**
 * The external page that is the app has loaded, or sent its first message since. Its loader reports this, so it can be
 * forged.
 */
export const sandboxPageLoadedSchema = openObject({ spoke: v.boolean() });

/**
 * How the app's document does, as the proxy sees it: `silent` when its thread has not answered for a while, `alive`
 * when it answers again, `gone` when its document ended without leaving for another (its process crashed),
 * `stood-still` when the proxy itself could not run for `ms`, as it shares a thread with the app or with the page.
 */
export const sandboxAppHealthSchema = openObject({
  state: v.picklist(['silent', 'alive', 'gone', 'stood-still']),
  ms: optional(finiteNumber),
});
