import { isUiUri } from './resource-uri.js';

/** Why a value cannot name a UI resource; undefined when it can. */
export const findUriFault = (value: unknown): string | undefined => {
  if (isUiUri(value)) return undefined;
  if (typeof value !== 'string') return 'it is not a string';
  if (value === '') return 'it is empty';
  if (!value.startsWith('ui://')) return 'it does not start with ui://';
  if (value.length > 2048) return 'it is longer than 2048 characters';
  if (value.length === 'ui://'.length) return 'it names nothing';
  return /[\p{Cc}\p{Z}\p{Cf}\\]/u.test(value)
    ? 'it contains spaces, control characters or backslashes'
    : 'it contains dot segments';
};

/** What to write instead of an address that names no UI resource: the one that was probably meant, where it can be told. */
export const toUriFix = (value: unknown): string => {
  const meant = typeof value === 'string' ? toMeant(value) : undefined;
  if (meant !== undefined) return `Write "${meant}", and register the resource under the same address.`;
  return typeof value === 'string' && /^(?:https?|file):/i.test(value)
    ? 'A page is not read from such an address. Register its HTML as a resource of the server, for example under "ui://my-server/app.html", and write that address.'
    : 'Write the address of a resource that the server registers, for example "ui://my-server/app.html".';
};

/** The address without the slip: slashes or scheme left out, capital letters, blanks around it. */
const toMeant = (value: string): string | undefined => {
  // Beyond this no address is one, whatever is mended.
  if (value.length > 200) return undefined;
  const text = value.trim();
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:/i.exec(text) ?? [];
  if (scheme !== '' && scheme.toLowerCase() !== 'ui:') return undefined;
  const path = text.slice(scheme.length).replace(/^(?:ui)?[/\\]+/i, '');
  const meant = `ui://${path.replaceAll('\\', '/')}`;
  // Only what can be read as it stands is worth copying.
  return /^[\x21-\x7e]+$/.test(meant) && isUiUri(meant) ? meant : undefined;
};
