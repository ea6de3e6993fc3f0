/** Names what nobody named: nothing else shares its origin. */
export const toIdentity = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(36)).join('');
