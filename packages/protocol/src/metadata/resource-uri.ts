/** Whether a value can name a UI resource; what cannot is never fetched (D13). `findUriFault` says why not. */
export const isUiUri = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 2048 &&
  /^ui:\/\/[^\p{Cc}\p{Z}\p{Cf}\\]+$/u.test(value) &&
  !/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(value);
