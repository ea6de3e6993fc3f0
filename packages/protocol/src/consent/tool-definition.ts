import { isRecord } from '../is-record.js';
import type { Tool } from '../messages/tool-schemas.js';

/**
 * A hash of everything a user saw of a tool when saying yes to it. A tool that later describes itself differently
 * counts as another tool (T21). Undefined if no hash can be made; then a yes cannot be remembered.
 */
export const toToolDefinition = (tool: Tool): Promise<string | undefined> => {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return toDigest([name, title, description, inputSchema, outputSchema, annotations]);
};

/** A hash of any JSON, the same in whatever order its keys are written; undefined where there is none. */
export const toDigest = async (value: unknown): Promise<string | undefined> => {
  try {
    const text = JSON.stringify(toOrdered(value));
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    // Nested beyond measure, or a page without https.
    return undefined;
  }
};

/** The order in which a server writes its keys says nothing. */
const toOrdered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toOrdered);
  if (!isRecord(value)) return value;
  // Pairs, so that no key, `__proto__` among them, gets lost on the way.
  return {
    pairs: Object.keys(value)
      .toSorted()
      .map((key) => [key, toOrdered(value[key])]),
  };
};
