/** A piece of a line: words, or something to be read letter by letter. */
export interface TextSpan {
  readonly type: 'text' | 'code';
  readonly text: string;
}

/** A block of a text, in the order it was written. */
export type TextBlock =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'code'; readonly text: string; readonly language: string };

interface Fence {
  readonly mark: string;
  readonly language: string;
}

/** A line of at least three marks, and what language follows; read by hand, because expressions for it go back and forth. */
const readFence = (line: string): Fence | undefined => {
  const start = /^ {0,3}/.exec(line)?.[0].length ?? 0;
  const mark = /^(?:`{3,}|~{3,})/.exec(line.slice(start))?.[0];
  if (mark === undefined) return undefined;
  const info = line.slice(start + mark.length);
  return info.includes('`') ? undefined : { mark, language: /^[ \t]*(\S*)/.exec(info)?.[1] ?? '' };
};

/** Paragraphs and fenced code of a text; a fence that is still open takes the rest, as a text that streams needs it. */
export const toTextBlocks = (text: string): readonly TextBlock[] => {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let open: Fence | undefined;

  const close = (): void => {
    const joined = lines.join('\n');
    lines = [];
    if (open) blocks.push({ type: 'code', text: joined, language: open.language });
    else if (joined.trim() !== '') blocks.push({ type: 'paragraph', text: joined });
    open = undefined;
  };

  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const fence = readFence(line);
    if (open) {
      const isEnd = fence?.language === '' && fence.mark.startsWith(open.mark);
      if (isEnd) close();
      else lines.push(line);
    } else if (fence) {
      close();
      open = fence;
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
