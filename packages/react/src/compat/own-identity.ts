/** Creates a random identity for an app that was given none: nothing else shares its origin. */
export const createIdentity = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('');
