import { isRecord } from '@casement/protocol/start';

/** What a row says besides its label. */
export interface Gist {
  readonly text: string;
  readonly code?: string;
  readonly isProblem?: boolean;
}

const maxWords = 300;

/** A plain value as short text; of all else nothing. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, maxWords)
    : '';

const namesOf = (value: unknown): string =>
  isRecord(value)
    ? Object.keys(value)
        .slice(0, 12)
        .filter((name) => name !== '_meta')
        .join(', ')
        .slice(0, maxWords)
    : '';

/** The text of the first text block: what a person would read of a result or message. */
const firstText = (content: unknown): string => {
  if (!Array.isArray(content)) return '';
  const blocks: readonly unknown[] = content.slice(0, 8);
  for (const block of blocks)
    if (isRecord(block) && typeof block.text === 'string') return textOf(block.text);
  return blocks.length > 0 ? `${content.length} content blocks` : '';
};

const toSize = ({ width, height }: Record<string, unknown>): string => {
  const [wide, high] = [width, height].map((axis) =>
    typeof axis === 'number' ? Math.round(axis) : undefined,
  );
  if (wide !== undefined && high !== undefined) return `${wide} × ${high} px`;
  if (high !== undefined) return `height ${high} px`;
  return wide === undefined ? '' : `width ${wide} px`;
};

type ParamsGist = (params: Record<string, unknown>) => string;

const gists: ReadonlyMap<string, ParamsGist> = new Map<string, ParamsGist>([
  [
    'tools/call',
    ({ name, arguments: args }) => [textOf(name), namesOf(args) && `(${namesOf(args)})`].join(' '),
  ],
  ['resources/read', ({ uri }) => textOf(uri)],
  ['ui/open-link', ({ url }) => textOf(url)],
  ['ui/message', ({ content }) => firstText(content)],
  [
    'ui/update-model-context',
    ({ content, structuredContent }) => firstText(content) || namesOf(structuredContent),
  ],
  ['ui/request-display-mode', ({ mode }) => textOf(mode)],
  ['ui/resource-teardown', ({ reason }) => textOf(reason)],
  ['ui/initialize', ({ appInfo, protocolVersion }) => toProgram(appInfo, protocolVersion)],
  ['initialize', ({ clientInfo, protocolVersion }) => toProgram(clientInfo, protocolVersion)],
  ['ui/notifications/size-changed', toSize],
  ['ui/notifications/tool-input', ({ arguments: args }) => namesOf(args)],
  ['ui/notifications/tool-input-partial', ({ arguments: args }) => namesOf(args)],
  ['ui/notifications/tool-result', (result) => toResultText(result)],
  ['ui/notifications/tool-cancelled', ({ reason }) => textOf(reason)],
  ['ui/notifications/host-context-changed', (changes) => namesOf(changes)],
  [
    'ui/notifications/sandbox-violation',
    ({ directive, blockedUri }) => `${textOf(directive)} ${textOf(blockedUri)}`,
  ],
  ['ui/notifications/sandbox-dropped', ({ count, reason }) => `${textOf(count)}, ${textOf(reason)}`],
  ['notifications/message', ({ level, data }) => `${textOf(level)} ${textOf(data) || namesOf(data)}`],
  ['notifications/cancelled', ({ requestId, reason }) => `${textOf(requestId)} ${textOf(reason)}`],
  ['notifications/progress', ({ progress, message }) => `${textOf(progress)} ${textOf(message)}`],
]);

const toProgram = (info: unknown, protocolVersion: unknown): string => {
  const program = isRecord(info) ? `${textOf(info.name)} ${textOf(info.version)}` : '';
  return [program, textOf(protocolVersion)].filter(Boolean).join(', ');
};

const listNames = ['tools', 'resources', 'resourceTemplates', 'prompts', 'contents'] as const;

const toResultText = (result: Record<string, unknown>): string => {
  const said = firstText(result.content);
  if (result.isError === true) return `The tool reported an error: ${said}`;
  for (const name of listNames) {
    const list = result[name];
    if (Array.isArray(list)) return `${list.length} ${name}`;
  }
  const other = toProgram(result.serverInfo ?? result.hostInfo, result.protocolVersion);
  return said || other || namesOf(result) || 'empty result';
};

/** The gist of a JSON-RPC message; never more work than a few keys, whatever its size. */
export const toGist = (raw: unknown): Gist => {
  if (!isRecord(raw)) return { text: '' };
  if (typeof raw.method === 'string') {
    const params = isRecord(raw.params) ? raw.params : {};
    const text = gists.get(raw.method)?.(params) ?? namesOf(params);
    return { text, isProblem: raw.method === 'ui/notifications/tool-result' && params.isError === true };
  }
  if (isRecord(raw.error)) {
    const { code, message } = raw.error;
    return { text: textOf(message), code: textOf(code), isProblem: true };
  }
  const result = isRecord(raw.result) ? raw.result : {};
  return { text: toResultText(result), isProblem: result.isError === true };
};
