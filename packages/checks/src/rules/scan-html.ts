import { createPlaceCounter, walkStartTags } from '../html/start-tags.js';

/** A piece of a document that is large, or an address in one of its tags. */
export interface HtmlPart {
  /** As its tag is written: `<script>`, or `data: address in <img>`. */
  readonly name: string;
  /** In characters; of plain text a character is a byte. */
  readonly size: number;
  readonly line: number;
}

/** An address that a tag names. */
interface HtmlAddress {
  readonly element: string;
  readonly address: string;
  readonly line: number;
}

/** What a look through the text of a document finds. */
export interface HtmlScan {
  readonly largest: readonly HtmlPart[];
  readonly addresses: readonly HtmlAddress[];
  /** The document names another address that its relative ones are relative to. */
  readonly hasBase: boolean;
}

const maxTags = 20_000;
/** Up to here an address is kept; what is longer is an inlined file. */
const maxAddress = 1_000;
const maxAddresses = 50;
const maxLargest = 3;

/** The attributes that make a browser load something. */
const loading: ReadonlyMap<string, string> = new Map([
  ['script', 'src'],
  ['img', 'src'],
  ['iframe', 'src'],
  ['video', 'src'],
  ['audio', 'src'],
  ['source', 'src'],
  ['embed', 'src'],
  ['link', 'href'],
]);

const isLoadedLink = (rel = ''): boolean => /^(?:stylesheet|modulepreload)$/i.test(rel.slice(0, 100).trim());

const holdsFile = (attributes: ReadonlyMap<string, string>): boolean =>
  [...attributes.values()].some((value) => /\bdata:/i.test(value.slice(0, maxAddress)));

/** Reads a document once, from its beginning to its end, for what is large in it and what it loads. */
export const scanHtml = (html: string): HtmlScan => {
  const placeOf = createPlaceCounter(html);
  const addresses: HtmlAddress[] = [];
  let largest: HtmlPart[] = [];
  let hasBase = false;
  const keep = (part: HtmlPart): void => {
    largest = [...largest, part].sort((a, b) => b.size - a.size).slice(0, maxLargest);
  };
  let tags = 0;
  for (const { name, start, end, attributes, textEnd } of walkStartTags(html)) {
    if ((tags += 1) > maxTags) break;
    const { line } = placeOf(start);
    if (name === 'base') hasBase ||= attributes.has('href');
    const address = attributes.get(loading.get(name) ?? '');
    if (end - start > maxAddress && holdsFile(attributes)) {
      keep({ name: `data: address in <${name}>`, size: end - start, line });
    } else if (
      address !== undefined &&
      addresses.length < maxAddresses &&
      (name !== 'link' || isLoadedLink(attributes.get('rel')))
    ) {
      addresses.push({ element: name, address: address.slice(0, maxAddress), line });
    }
    if (name === 'script' || name === 'style') keep({ name: `<${name}>`, size: textEnd - end, line });
  }
  return { largest, addresses, hasBase };
};
