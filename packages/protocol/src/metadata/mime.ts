/** A media type taken apart: lower-case type, lower-case parameter names. */
export interface Mime {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Whose app a resource is, judged by its media type. */
export type AppMimeClass = 'mcp-apps' | 'mcp-apps-legacy' | 'openai' | 'mcp-ui' | 'unsupported';

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const typePattern = new RegExp(`^\\s*(${token}/${token})\\s*`);
const parameterPattern = new RegExp(
  `^;\\s*(?:(${token})\\s*=\\s*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")\\s*)?`,
);

/** Reads a media type with its parameters, tolerant of case, spaces and quotes; undefined when it is not one. */
export const parseMime = (value: unknown): Mime | undefined => {
  if (typeof value !== 'string' || value.length > 512) return undefined;
  const type = typePattern.exec(value);
  if (!type?.[1]) return undefined;
  const parameters = new Map<string, string>();
  let rest = value.slice(type[0].length);
  while (rest !== '') {
    const match = parameterPattern.exec(rest);
    if (!match) return undefined;
    const [whole, name, plain, quoted] = match;
    // The first of two equal names counts, as browsers have it.
    if (name !== undefined && !parameters.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), plain ?? (quoted ?? '').replace(/\\(.)/g, '$1'));
    }
    rest = rest.slice(whole.length);
  }
  return { type: type[1].toLowerCase(), parameters };
};

const remoteDomType = 'application/vnd.mcp-ui.remote-dom+javascript';

/** Whether a resource is a script for MCP-UI's Remote DOM rather than a document. */
export const isRemoteDom = (value: unknown): boolean => parseMime(value)?.type === remoteDomType;

/** Decides from the media type which kind of app a resource holds. */
export const classifyAppMime = (value: unknown): AppMimeClass => {
  const mime = parseMime(value);
  switch (mime?.type) {
    case 'text/html': {
      const profile = mime.parameters.get('profile')?.toLowerCase();
      if (profile === undefined) return 'mcp-ui';
      return profile === 'mcp-app' ? 'mcp-apps' : 'unsupported';
    }
    case 'text/html+mcp':
      return 'mcp-apps-legacy';
    case 'text/html+skybridge':
      return 'openai';
    case 'text/uri-list':
    case remoteDomType:
      return 'mcp-ui';
    default:
      return 'unsupported';
  }
};
