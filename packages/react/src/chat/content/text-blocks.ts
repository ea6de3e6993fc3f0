/** A block of a text, in the order it was written. */
export type TextBlock =
  | { readonly type: 'text'; readonly text: string }
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

/** Whether a line after a blank one may belong to the list or quote before it. */
const isContinued = (line: string): boolean => /^(?:[ \t>]|(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$))/.test(line);

/**
 * The pieces of a text that can be drawn on their own, so that a text that streams is drawn anew at its end only: fenced
 * code, and what stands between blank lines, where a list or quote is one piece. A fence that is still open takes the rest.
 */
export const toTextBlocks = (text: string): readonly TextBlock[] => {
  const blocks: TextBlock[] = [];
  let lines: string[] = [];
  let open: Fence | undefined;
  let isAfterBlank = false;

  const close = (): void => {
    const joined = lines.join('\n');
    lines = [];
    if (open) blocks.push({ type: 'code', text: joined, language: open.language });
    else if (joined !== '') blocks.push({ type: 'text', text: joined });
    open = undefined;
    isAfterBlank = false;
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
    } else if (line.trim() === '') isAfterBlank = lines.length > 0;
    else {
      if (isAfterBlank && isContinued(line)) lines.push('');
      else if (isAfterBlank) close();
      isAfterBlank = false;
      lines.push(line);
    }
  }
  if (open || lines.length > 0) close();
  return blocks;
};
