/** Why a string cannot name a UI resource; undefined when it can. Such a URI is never fetched (D13). */
export const findUriFault = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return 'it is not a string';
  if (!value.startsWith('ui://')) return 'it does not start with ui://';
  if (value.length > 2048) return 'it is longer than 2048 characters';
  if (value.length === 'ui://'.length) return 'it names nothing';
  if (/[\p{Cc}\p{Z}\p{Cf}\\]/u.test(value)) return 'it contains spaces, control characters or backslashes';
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(value.slice('ui://'.length))) {
    return 'it contains dot segments';
  }
  return undefined;
};
