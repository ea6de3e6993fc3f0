/** A piece of a document that is large, or an address in one of its tags. */
export interface HtmlPart {
  /** As its tag is written: `<script>`, or `data: address in <img>`. */
  readonly name: string;
  /** In characters; of plain text a character is a byte. */
  readonly size: number;
  readonly line: number;
}

/** An address that a tag names. */
export interface HtmlAddress {
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
/** A tag is looked at up to here; what is longer is an inlined file. */
const maxTag = 1_000;
const maxAddresses = 50;
const maxLargest = 3;

/** The attributes that make a browser load something. */
const loading: ReadonlyMap<string, keyof typeof attributes> = new Map([
  ['script', 'src'],
  ['img', 'src'],
  ['iframe', 'src'],
  ['video', 'src'],
  ['audio', 'src'],
  ['source', 'src'],
  ['embed', 'src'],
  ['link', 'href'],
]);

/** Elements whose content is text up to their end tag, whatever it looks like. */
const rawEnds: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script[\s/>]/gi],
  ['style', /<\/style[\s/>]/gi],
  ['textarea', /<\/textarea[\s/>]/gi],
  ['title', /<\/title[\s/>]/gi],
]);

const attributes = {
  src: /[\s"'/]src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i,
  href: /[\s"'/]href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i,
  rel: /[\s"'/]rel\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i,
} as const;

/** One attribute of a tag, without quotes; the tag's text is short, so this is, too. */
const readAttribute = (tag: string, name: keyof typeof attributes): string | undefined => {
  const match = attributes[name].exec(tag);
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
};

/** The end of a tag: the first `>` outside of quotes. */
const findTagEnd = (html: string, from: number): number => {
  let quote = '';
  for (let index = from; index < html.length; index += 1) {
    const character = html.charAt(index);
    if (quote !== '') {
      // A quoted address may be megabytes long: its end is found at once.
      const end = html.indexOf(quote, index);
      if (end === -1) return html.length;
      index = end;
      quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return index;
  }
  return html.length;
};

/** Tells the line of ascending places; each line end is passed once. */
const createLineCounter = (html: string) => {
  let line = 1;
  let next = html.indexOf('\n');
  return (at: number): number => {
    while (next !== -1 && next < at) {
      line += 1;
      next = html.indexOf('\n', next + 1);
    }
    return line;
  };
};

const isLoadedLink = (tag: string): boolean =>
  /^(?:stylesheet|modulepreload)$/i.test((readAttribute(tag, 'rel') ?? '').trim());

/** Reads a document once, from its beginning to its end, for what is large in it and what it loads; it need not be well-formed. */
export const scanHtml = (html: string): HtmlScan => {
  const lineOf = createLineCounter(html);
  const addresses: HtmlAddress[] = [];
  let largest: HtmlPart[] = [];
  let hasBase = false;
  const keep = (part: HtmlPart): void => {
    largest = [...largest, part].sort((a, b) => b.size - a.size).slice(0, maxLargest);
  };
  let at = 0;
  for (let tags = 0; tags < maxTags; tags += 1) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      if (end === -1) break;
      at = end + 3;
      continue;
    }
    const name = /^<([a-z][a-z0-9-]{0,30})[\s/>]/i.exec(html.slice(open, open + 40))?.[1]?.toLowerCase();
    if (name === undefined) {
      at = open + 1;
      continue;
    }
    const end = findTagEnd(html, open + 1 + name.length);
    const tag = html.slice(open, Math.min(end, open + maxTag));
    const line = lineOf(open);
    if (name === 'base') hasBase ||= readAttribute(tag, 'href') !== undefined;
    const attribute = loading.get(name);
    const address = attribute === undefined ? undefined : readAttribute(`${tag} `, attribute);
    if (end - open > maxTag && /\bdata:/i.test(tag)) {
      keep({ name: `data: address in <${name}>`, size: end - open, line });
    } else if (
      address !== undefined &&
      addresses.length < maxAddresses &&
      (name !== 'link' || isLoadedLink(tag))
    ) {
      addresses.push({ element: name, address, line });
    }
    at = end + 1;
    const rawEnd = rawEnds.get(name);
    if (!rawEnd) continue;
    rawEnd.lastIndex = at;
    const close = rawEnd.exec(html)?.index ?? html.length;
    if (name === 'script' || name === 'style') keep({ name: `<${name}>`, size: close - at, line });
    at = close;
  }
  return { largest, addresses, hasBase };
};
