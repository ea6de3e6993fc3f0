/** An origin exactly as a browser serialises it. */
export const isOrigin = (value: unknown): value is string => {
  if (typeof value !== 'string' || !/^https?:\/\//.test(value)) return false;
  try {
    return new URL(value).origin === value;
  } catch {
    return false;
  }
};
