// The start tags of an HTML document, by one pass over its text as the HTML standard takes it apart for a browser that
// runs scripts. No tree is built, so what only the tree tells is not known: a <title> in an SVG is taken for the page's.

/** A start tag, by its place in the text of the document. */
export interface StartTag {
  /** In lower case. */
  readonly name: string;
  readonly start: number;
  /** Behind its `>`. */
  readonly end: number;
  /** Each name in lower case, with the first value it was given. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Where the element's content ends, if that is text whatever it looks like; of all others `end`. */
  readonly textEnd: number;
}

/** Elements whose content is text: no element begins inside. */
const textElements = new Set([
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
]);

/** What is more than this is passed, and not kept. */
const maxAttributes = 200;
const maxName = 100;

const gap = /[\t\n\f\r /]*/y;
const attributeName = /[^\t\n\f\r />][^\t\n\f\r />=]*/y;
const equals = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const bareValue = /[^\t\n\f\r >]*/y;

/** Reads what is at this place and says where it ends; undefined where there is nothing of the kind. */
const readAt = (pattern: RegExp, html: string, at: number): number | undefined => {
  pattern.lastIndex = at;
  return pattern.test(html) ? pattern.lastIndex : undefined;
};

/** Reads a tag behind its name, and where it ends, if it does. Quoted values may hold megabytes, and a ">". */
const readAttributes = (
  html: string,
  from: number,
): { end: number | undefined; attributes: Map<string, string> } => {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    at = readAt(gap, html, at) ?? at;
    const nameEnd = readAt(attributeName, html, at);
    if (nameEnd === undefined) return { end: at < html.length ? at + 1 : undefined, attributes };
    const name = html.slice(at, Math.min(nameEnd, at + maxName)).toLowerCase();
    at = nameEnd;
    let value = '';
    const valueStart = readAt(equals, html, at);
    if (valueStart !== undefined) {
      const quote = html.charAt(valueStart);
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, valueStart + 1);
        const valueEnd = close < 0 ? html.length : close;
        value = html.slice(valueStart + 1, valueEnd);
        at = valueEnd + 1;
      } else {
        at = readAt(bareValue, html, valueStart) ?? valueStart;
        value = html.slice(valueStart, at);
      }
    }
    if (attributes.size < maxAttributes && !attributes.has(name)) attributes.set(name, value);
  }
};

/** The end of a script's content: `</script`, but not the one inside `<!-- <script> … </script> -->`. */
const findScriptEnd = (html: string, from: number): number => {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;
  marks.lastIndex = from;
  let state: 'plain' | 'escaped' | 'doubly' = 'plain';
  for (let found = marks.exec(html); found !== null; found = marks.exec(html)) {
    if (found[0] === '-->') state = 'plain';
    else if (found[0] === '<!--') {
      state = state === 'plain' ? 'escaped' : state;
      // Its dashes may be those of "-->".
      marks.lastIndex = found.index + 2;
    } else if (found[1] === '/') {
      if (state !== 'doubly') return found.index;
      state = 'escaped';
    } else if (state === 'escaped') state = 'doubly';
  }
  return html.length;
};

const findTextEnd = (html: string, from: number, name: string): number => {
  if (name === 'script') return findScriptEnd(html, from);
  if (name === 'plaintext') return html.length;
  if (!textElements.has(name)) return from;
  const ends = /<\/([a-z]+)(?=[\t\n\f\r />])/gi;
  ends.lastIndex = from;
  for (let found = ends.exec(html); found !== null; found = ends.exec(html))
    if (found[1]?.toLowerCase() === name) return found.index;
  return html.length;
};

/** The end of what begins with `<!`, `<?` or `</` and is no tag; undefined where it does not end. */
const findCommentEnd = (html: string, from: number): number | undefined => {
  const isComment = html.startsWith('<!--', from);
  // It may end before it held anything.
  const empty = isComment ? /^<!---?>/.exec(html.slice(from, from + 6)) : null;
  if (empty) return from + empty[0].length;
  const end = isComment ? /--!?>/g : />/g;
  end.lastIndex = from + (isComment ? 4 : 2);
  return end.test(html) ? end.lastIndex : undefined;
};

/** Walks through the start tags of a document in their order; the document need not be well-formed. */
export function* walkStartTags(html: string): Generator<StartTag> {
  const openings = /<(?:(\/?)([a-z][^\t\n\f\r />]*)|[!?/])/gi;
  for (let found = openings.exec(html); found !== null; found = openings.exec(html)) {
    const [, slash, word] = found;
    if (word === undefined) {
      const commentEnd = findCommentEnd(html, found.index);
      if (commentEnd === undefined) return;
      openings.lastIndex = commentEnd;
      continue;
    }
    const name = word.slice(0, maxName).toLowerCase();
    const { end, attributes } = readAttributes(html, openings.lastIndex);
    // A tag that does not end is none.
    if (end === undefined) return;
    openings.lastIndex = end;
    if (slash === '/') continue;
    const textEnd = findTextEnd(html, end, name);
    openings.lastIndex = textEnd;
    yield { name, start: found.index, end, attributes, textEnd };
  }
}

/** Tells line (from 1) and column (from 0) of places that come in their order, by what ends a line in HTML. */
export const createPlaceCounter = (html: string): ((at: number) => { line: number; column: number }) => {
  const breaks = /\r\n|[\n\r]/g;
  let line = 1;
  let start = 0;
  // Looked for once: a document of one line with many scripts has none.
  let next = breaks.exec(html);
  return (at) => {
    while (next !== null && breaks.lastIndex <= at) {
      line += 1;
      start = breaks.lastIndex;
      next = breaks.exec(html);
    }
    return { line, column: at - start };
  };
};
