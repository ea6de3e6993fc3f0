import { parsePolicy } from '../policy/parse-policy.js';
import { toSandboxLabel } from '../policy/sandbox-address.js';
import { toPrintable } from '@casement/protocol/basics';
import type { SandboxRequest } from './answers.js';

/** A report of the browser itself that it blocked something of an app; guest code can neither forge nor stop it. */
export interface CspReport {
  readonly appOrigin: string;
  /** The app's resource, when the reporting document's address still proves it. */
  readonly resource?: string;
  readonly directive: string;
  readonly blockedUri: string;
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
  readonly disposition?: string;
}

const MAX_BODY = 32 * 1024;

/** Only the browser's own reporting sends these; guest code cannot set Sec-Fetch headers. */
export const isBrowserReport = (request: SandboxRequest): boolean =>
  request.headers.get('sec-fetch-site') === 'same-origin' &&
  request.headers.get('sec-fetch-dest') === 'report' &&
  /^application\/csp-report\b/.test(request.headers.get('content-type') ?? '');

/** Reads a body of at most 32 KB; a longer one is cancelled, not buffered. */
export const readSmallBody = async (request: SandboxRequest): Promise<string | undefined> => {
  if (request.body === null) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > MAX_BODY) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
};

/** A guest can rewrite its own address; only a policy whose label is the reporting origin names the resource. */
const readResource = async (
  documentUri: unknown,
  appOrigin: string,
  options: Parameters<typeof parsePolicy>[1],
): Promise<string | undefined> => {
  try {
    const policy = parsePolicy(new URL(String(documentUri)).searchParams.get('p') ?? '', options);
    // The handler knows the rest of the name as ours.
    const [label] = new URL(appOrigin).hostname.split('.', 1);
    return label === (await toSandboxLabel(policy)) ? policy.resource : undefined;
  } catch {
    return undefined;
  }
};

/** Turns a report body into a record with plain, short fields; undefined when it is none. */
export const parseCspReport = async (
  body: string,
  appOrigin: string,
  options: Parameters<typeof parsePolicy>[1],
): Promise<CspReport | undefined> => {
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    return undefined;
  }
  const report: unknown =
    typeof raw === 'object' && raw !== null ? Reflect.get(raw, 'csp-report') : undefined;
  if (typeof report !== 'object' || report === null) return undefined;
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(report, name);
    return typeof value === 'string' ? toPrintable(value) : undefined;
  };
  const number = (name: string): number | undefined => {
    const value: unknown = Reflect.get(report, name);
    return typeof value === 'number' ? value : undefined;
  };
  const resource = await readResource(Reflect.get(report, 'document-uri'), appOrigin, options);
  const sourceFile = text('source-file')?.split('?')[0];
  const line = number('line-number');
  const column = number('column-number');
  const disposition = text('disposition');
  return {
    appOrigin,
    ...(resource === undefined ? {} : { resource }),
    directive: text('effective-directive') ?? text('violated-directive') ?? '',
    blockedUri: text('blocked-uri') ?? '',
    ...(sourceFile === undefined ? {} : { sourceFile }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(disposition === undefined ? {} : { disposition }),
  };
};
