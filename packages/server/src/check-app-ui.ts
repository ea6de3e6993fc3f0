import { isRecord } from '@casement/protocol/start';
import { appPermissions } from '@casement/protocol/resource';
import { findDomainFix } from './app-domain.js';
import { EXTENSION_ID } from './app-mime.js';
import { AppServerError, type AppServerErrorCode } from './app-server-error.js';
import { parseAppUri } from './app-uri.js';

/** Why a declared domain is no origin, and what to write. */
interface OriginFault {
  readonly reason: string;
  readonly fix: string;
}

const example = 'Write an origin, like https://api.example.com.';
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const origin = new RegExp(`^(https|wss|http|ws)://(\\*\\.)?(${label}(?:\\.${label})*)(?::(\\d{1,5}))?$`);
const loopback = /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3})$/;

/** Finds what keeps a host from using a declared domain (SERVER-012); undefined for an origin. */
const findOriginFault = (value: unknown): OriginFault | undefined => {
  if (typeof value !== 'string' || value === '') return { reason: 'is not a text', fix: example };
  if (value === '*')
    return { reason: 'would allow every origin', fix: 'Name each origin; a host drops "*".' };
  if (/^'.*'$/.test(value)) return { reason: 'is a policy keyword', fix: example };
  if (/[\s;,'"\\]/.test(value))
    return { reason: 'holds a space, quote or separator', fix: 'Give each origin as its own entry.' };
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
    return value.endsWith(':')
      ? { reason: 'is a bare scheme', fix: example }
      : { reason: 'has no scheme', fix: `Write https://${value.toLowerCase()}.` };
  }
  const match = origin.exec(value);
  if (!match) return toShapeFault(value);
  const [, scheme = '', star = '', host = ''] = match;
  if (star !== '' && !host.includes('.'))
    return {
      reason: 'has a wildcard that covers too much',
      fix: 'Name the domain below it, like https://*.example.com.',
    };
  if ((scheme === 'http' || scheme === 'ws') && !loopback.test(host)) {
    return { reason: 'is not encrypted', fix: `Use ${scheme === 'http' ? 'https' : 'wss'}.` };
  }
  return undefined;
};

const toShapeFault = (value: string): OriginFault => {
  const start = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(value)?.[0] ?? value;
  if (start !== value)
    return { reason: 'has a path, query or fragment', fix: `Write ${start.toLowerCase()}.` };
  if (start.slice(start.indexOf('//')).includes('*'))
    return { reason: 'may use * only as the whole first label', fix: 'Write it like https://*.example.com.' };
  if (start !== start.toLowerCase())
    return { reason: 'is not in lower case', fix: `Write ${start.toLowerCase()}.` };
  return { reason: 'is not an origin with https or wss', fix: example };
};

const cspKeys = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'];
const audiences = ['model', 'app'];
const capabilityKeys = ['toolListChanged', 'supportsPartialInput'];
const openaiKeys = ['invoking', 'invoked', 'description', 'redirectDomains', 'domain', 'outputTemplate'];

const fail = (code: AppServerErrorCode, message: string, fix: string): never => {
  throw new AppServerError(code, message, fix);
};

const quote = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, 200)}"` : typeof value;

/** A misspelt key would be ignored by every host in silence. */
export const checkKeys = (
  value: unknown,
  path: string,
  known: readonly string[],
  code: AppServerErrorCode = 'ui-unknown-key',
): Record<string, unknown> => {
  if (!isRecord(value))
    return fail(code, `${path} is not an object.`, `Give an object with ${known.join(', ')}.`);
  const strange = Object.keys(value).find((key) => !known.includes(key));
  if (strange !== undefined) {
    fail(code, `${path} has the unknown key ${quote(strange)}.`, `Known keys are ${known.join(', ')}.`);
  }
  return value;
};

const checkOrigins = (list: unknown, path: string, code: AppServerErrorCode): void => {
  if (!Array.isArray(list))
    fail(code, `${path} is not a list.`, 'Give a list of origins, like ["https://api.example.com"].');
  for (const entry of list as readonly unknown[]) {
    const fault = findOriginFault(entry);
    if (fault) fail(code, `${path} holds ${quote(entry)}, which ${fault.reason}.`, fault.fix);
  }
};

const checkPermissions = (value: unknown, path: string): void => {
  const names: readonly unknown[] = Array.isArray(value)
    ? value
    : isRecord(value)
      ? Object.keys(value)
      : fail('permissions-invalid', `${path} is not a list of names.`, 'Give a list, like ["camera"].');
  for (const name of names) {
    if (!appPermissions.some((known) => known === name)) {
      fail('permissions-invalid', `${path} names ${quote(name)}.`, `Known are ${appPermissions.join(', ')}.`);
    }
  }
  if (isRecord(value)) {
    for (const [name, asked] of Object.entries(value)) {
      if (!isRecord(asked))
        fail('permissions-invalid', `${path}.${name} is not an object.`, `Write ${name}: {}.`);
    }
  }
};

const checkOpenAi = (value: unknown, path: string): void => {
  if (typeof value === 'boolean') return;
  const { invoking, invoked, description, redirectDomains, domain, outputTemplate } = checkKeys(
    value,
    path,
    openaiKeys,
    'openai-invalid',
  );
  for (const [key, text] of Object.entries({ invoking, invoked })) {
    if (text !== undefined && (typeof text !== 'string' || text.length > 64)) {
      fail('openai-invalid', `${path}.${key} is not a text of at most 64 characters.`, 'Shorten it.');
    }
  }
  if (description !== undefined && typeof description !== 'string') {
    fail('openai-invalid', `${path}.description is not a text.`, 'Say in a sentence what the app shows.');
  }
  if (redirectDomains !== undefined)
    checkOrigins(redirectDomains, `${path}.redirectDomains`, 'openai-invalid');
  if (domain !== undefined && (findOriginFault(domain) ?? !/^https:\/\/[^*]+$/.test(String(domain)))) {
    fail(
      'openai-invalid',
      `${path}.domain is ${quote(domain)}.`,
      'ChatGPT takes an origin, like https://app.example.com (SERVER-011).',
    );
  }
  if (outputTemplate !== undefined && outputTemplate !== true) parseAppUri(outputTemplate);
};

/** The extension's label names the extension and nothing else (SERVER-019). */
export const checkLabels = (meta: Record<string, unknown>): void => {
  const taken = Object.keys(meta).find((key) => key === EXTENSION_ID || key.startsWith(`${EXTENSION_ID}/`));
  if (taken === undefined) return;
  fail(
    'reserved-label',
    `_meta has the key ${quote(taken)}, the label of the extension.`,
    'Use a prefix of your own, like example.com/.',
  );
};

/** Refuses metadata of a resource that hosts would drop or misread (SERVER-012). */
export const checkResourceUi = (ui: Record<string, unknown>, path: string): void => {
  const { csp, permissions, domain, prefersBorder, openai } = ui;
  if (csp !== undefined) {
    const lists = checkKeys(csp, `${path}.csp`, cspKeys, 'csp-invalid');
    for (const [key, list] of Object.entries(lists)) {
      if (list !== undefined) checkOrigins(list, `${path}.csp.${key}`, 'csp-invalid');
    }
  }
  if (permissions !== undefined) checkPermissions(permissions, `${path}.permissions`);
  const domainFix = domain === undefined ? undefined : findDomainFix(domain);
  if (domainFix !== undefined) fail('domain-invalid', `${path}.domain is ${quote(domain)}.`, domainFix);
  if (prefersBorder !== undefined && typeof prefersBorder !== 'boolean') {
    fail('border-invalid', `${path}.prefersBorder is not a boolean.`, 'Write true or false.');
  }
  if (openai !== undefined) checkOpenAi(openai, `${path}.openai`);
};

/** Refuses metadata of a tool that hosts would drop or misread (SERVER-010). */
export const checkToolUi = (ui: Record<string, unknown>, path: string): void => {
  const { visibility, widgetCapabilities } = ui;
  if (visibility !== undefined) {
    const fix = 'Give a list of "model", "app" or both.';
    if (!Array.isArray(visibility) || visibility.length === 0) {
      fail('visibility-invalid', `${path}.visibility lets nobody call the tool.`, fix);
    }
    for (const name of visibility as readonly unknown[]) {
      if (!audiences.some((known) => known === name)) {
        fail('visibility-invalid', `${path}.visibility names ${quote(name)}.`, fix);
      }
    }
  }
  if (widgetCapabilities !== undefined) {
    const where = `${path}.widgetCapabilities`;
    const flags = checkKeys(widgetCapabilities, where, capabilityKeys, 'capabilities-invalid');
    for (const [key, flag] of Object.entries(flags)) {
      if (flag !== undefined && typeof flag !== 'boolean') {
        fail('capabilities-invalid', `${where}.${key} is not a boolean.`, 'Write true or false.');
      }
    }
  }
};
