/** What a loader reports can be said by guest code as well, so it is cut down to short text and numbers. */
type Message = Readonly<Record<string, unknown>>;

const toFields = (params: unknown, texts: Readonly<Record<string, number>>): Message => {
  const given = typeof params === 'object' && params !== null ? params : {};
  const fields = Object.entries(texts).map(([name, length]) => {
    const value: unknown = Reflect.get(given, name);
    return [name, typeof value === 'string' ? value.slice(0, length) : undefined];
  });
  const places = ['line', 'column'].map((name) => {
    const value: unknown = Reflect.get(given, name);
    return [name, Number.isSafeInteger(value) ? value : undefined];
  });
  return Object.fromEntries([...fields, ...places].filter(([, value]) => value !== undefined));
};

/** A violation of the content policy. */
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

/** An uncaught error of the guest's scripts. */
export const toScriptError = (params: unknown): Message => ({
  message: '',
  ...toFields(params, { message: 500, sourceFile: 2000 }),
});

/** Whether a page elsewhere has said something since it was there. */
export const toPageLoad = (params: unknown): Message => ({
  spoke: typeof params === 'object' && params !== null && Reflect.get(params, 'spoke') === true,
});
