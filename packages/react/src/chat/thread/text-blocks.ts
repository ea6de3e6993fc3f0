/** A piece of a line: words, or something to be read letter by letter. */
export interface TextSpan {
  readonly type: 'text' | 'code';
  readonly text: string;
}

/** A block of a text, in the order it was written. */
export type TextBlock =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code'; readonly text: string; readonly language: string };

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$/;

/** Paragraphs and fenced code of a text; a fence that is still open takes the rest, as a text that streams needs it. */
export const toTextBlocks = (text: string): readonly TextBlock[] => {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let open: { readonly mark: string; readonly language: string } | undefined;

  const close = (): void => {
    const joined = lines.join('\n');
    lines = [];
    if (open) blocks.push({ type: 'code', text: joined, language: open.language });
    else if (joined.trim() !== '') blocks.push({ type: 'paragraph', text: joined });
    open = undefined;
  };

  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const [, mark, language = ''] = fence.exec(line) ?? [];
    if (open) {
      const isEnd = mark !== undefined && language === '' && mark.startsWith(open.mark);
      if (isEnd) close();
      else lines.push(line);
    } else if (mark !== undefined) {
      close();
      open = { mark, language };
    } else if (line.trim() === '') close();
    else lines.push(line);
  }
  if (open || lines.length > 0) close();
  return blocks;
};

/** A paragraph's words and its `inline code`; a mark without its other half is a letter like any other. */
export const toTextSpans = (text: string): readonly TextSpan[] =>
  text.split(/(`[^`\n]+`)/).flatMap((piece, index): TextSpan[] => {
    if (piece === '') return [];
    return [index % 2 === 1 ? { type: 'code', text: piece.slice(1, -1) } : { type: 'text', text: piece }];
  });
