/** Why a declared domain is no origin, and what to write. */
export interface OriginFault {
  readonly reason: string;
  readonly fix: string;
}

const example = 'Write an origin, like https://api.example.com.';
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const origin = new RegExp(`^(https|wss|http|ws)://(\\*\\.)?(${label}(?:\\.${label})*)(?::(\\d{1,5}))?$`);
const loopback = /^(?:localhost|(?:.+\.)?localhost|127(?:\.\d{1,3}){3})$/;

/** Finds what keeps a host from using a declared domain (SERVER-012); undefined for an origin. */
export const findOriginFault = (value: unknown): OriginFault | undefined => {
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
