import { toTextPieces } from '@casement/host/questions';

/** How much of a text is shown before somebody asks for all of it. */
export const firstShown = 600;

const lineSigns = /([\n\r\t])/;

/**
 * A text letter by letter, in pieces: what is not seen is written out, line ends and tabs too. Two texts that differ are
 * shown differently, so who reads what is shown has read what is run (C17).
 */
export const toExactPieces = (text: string): readonly string[] =>
  text
    .split(lineSigns)
    .flatMap((part, index) =>
      index % 2 === 1 ? [`\\u{${(part.codePointAt(0) ?? 0).toString(16)}}`] : toTextPieces(part),
    );

/** The parts of an address that decide where a request goes. */
export interface AddressParts {
  readonly before: string;
  /** Name and port as they are asked for: other scripts in the letters of the DNS. */
  readonly host: string;
  readonly after: string;
  /** The address is used in another form than it is written in. */
  readonly isRewritten: boolean;
}

/** Takes an address apart as a request does; undefined for what is none. */
export const toAddressParts = (url: string): AddressParts | undefined => {
  if (!URL.canParse(url)) return undefined;
  const { href, host, protocol, username, password } = new URL(url);
  const start = href.indexOf(host, protocol.length + username.length + password.length);
  if (host === '' || start < 0) return undefined;
  const isRewritten = href !== url && href !== `${url}/`;
  return { before: href.slice(0, start), host, after: href.slice(start + host.length), isRewritten };
};
