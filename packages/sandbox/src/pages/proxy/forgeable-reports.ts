// What a loader reports can be said by guest code as well, so each report is cut down to short text and numbers.
import { isObject, type Message } from '../is-object.js';

const toFields = (params: unknown, texts: Readonly<Record<string, number>>): Message => {
  const given = isObject(params) ? params : {};
  const fields = Object.entries(texts).map(([name, length]) => {
    const value = given[name];
    return [name, typeof value === 'string' ? value.slice(0, length) : undefined];
  });
  const places = ['line', 'column'].map((name) => {
    const value = given[name];
    return [name, Number.isSafeInteger(value) ? value : undefined];
  });
  return Object.fromEntries([...fields, ...places].filter(([, value]) => value !== undefined));
};

/** The parameters of a report that the content policy blocked something. */
export const toViolation = (params: unknown): Message => ({
  directive: '',
  blockedUri: '',
  ...toFields(params, {
    directive: 2000,
    blockedUri: 2000,
    sourceFile: 2000,
    sample: 2000,
    disposition: 2000,
  }),
});

/** The parameters of a report about an uncaught error of the guest's scripts. */
export const toScriptError = (params: unknown): Message => ({
  message: '',
  ...toFields(params, { message: 500, sourceFile: 2000 }),
});

/** The parameters of a report that the page of an MCP-UI app loaded; `spoke`: it has sent a message before. */
export const toPageLoad = (params: unknown): Message => ({
  spoke: isObject(params) && params['spoke'] === true,
});
