// The inline scripts of an HTML document, by one pass over its text: no tree is built, and nothing runs.

/** A script element with code in it, by its place in the HTML. */
export interface InlineScript {
  readonly start: number;
  readonly end: number;
  /** Where the code begins in the document, from 1 and from 0. */
  readonly line: number;
  readonly column: number;
}

const maxScripts = 1_000;

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
  'script',
]);

/** Reads a start tag: where it ends, and whether it says that its content is not code of its own. */
const readTag = (html: string, at: number): { end: number; isData: boolean } => {
  let isData = false;
  let index = at;
  // Each attribute once; a quoted value may hold a ">".
  const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?|[>"'<=/\s]/y;
  for (;;) {
    attribute.lastIndex = index;
    const found = attribute.exec(html);
    if (found === null) return { end: html.length, isData };
    index = attribute.lastIndex;
    if (found[0] === '>') return { end: index, isData };
    const name = found[1]?.toLowerCase();
    if (name === 'src') isData = true;
    if (name === 'type') isData ||= !isCodeType(found[2] ?? found[3] ?? found[4] ?? '');
  }
};

const isCodeType = (type: string): boolean =>
  /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/babel)$/.test(
    type.slice(0, 60).trim().toLowerCase(),
  );

/** The end of a script's content: `</script`, but not the one inside `<!-- <script> … </script> -->`. */
const findScriptEnd = (html: string, from: number): number => {
  const marks = /<!--|-->|<(\/?)script(?=[\s/>])/gi;
  marks.lastIndex = from;
  let state: 'plain' | 'escaped' | 'doubly' = 'plain';
  for (let found = marks.exec(html); found !== null; found = marks.exec(html)) {
    if (found[0] === '-->') state = 'plain';
    else if (found[0] === '<!--') state = state === 'plain' ? 'escaped' : state;
    else if (found[1] === '/') {
      if (state !== 'doubly') return found.index;
      state = 'escaped';
    } else if (state === 'escaped') state = 'doubly';
  }
  return html.length;
};

const findTextEnd = (html: string, from: number, name: string): number => {
  const ends = /<\/([a-z]+)(?=[\s/>])/gi;
  ends.lastIndex = from;
  for (let found = ends.exec(html); found !== null; found = ends.exec(html))
    if (found[1]?.toLowerCase() === name) return found.index;
  return html.length;
};

/** The inline scripts of a document in their order. */
export const listInlineScripts = (html: string): InlineScript[] => {
  const scripts: InlineScript[] = [];
  const count = createLineCounter(html);
  const tags = /<!--|<([a-z][^\s/>]*)/gi;
  for (let found = tags.exec(html); found !== null; found = tags.exec(html)) {
    if (found[1] === undefined) {
      const end = html.indexOf('-->', found.index + 2);
      if (end < 0) break;
      tags.lastIndex = end + 3;
      continue;
    }
    const name = found[1].toLowerCase();
    const { end: start, isData } = readTag(html, tags.lastIndex);
    tags.lastIndex = start;
    if (!textElements.has(name)) continue;
    const end = name === 'script' ? findScriptEnd(html, start) : findTextEnd(html, start, name);
    tags.lastIndex = end;
    if (name !== 'script' || isData || end === start) continue;
    if (scripts.push({ start, end, ...count(start) }) === maxScripts) break;
  }
  return scripts;
};

/** Says line and column of places that come in their order, by what ends a line in HTML. */
const createLineCounter = (html: string): ((at: number) => { line: number; column: number }) => {
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
