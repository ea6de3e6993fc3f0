/** One block of code in a page: its language, the file it names in the line before, and the code. */
export interface GuideBlock {
  readonly language: string;
  readonly file: string | undefined;
  readonly code: string;
}

/** The blocks of a page, in order; `<!-- name -->` before a block says which file it is. */
export const readBlocks = (page: string): GuideBlock[] =>
  [...page.matchAll(/(?:^<!-- (\S+) -->\n+)?^```(\w+)\n(.*?)^```$/gms)].map(
    ([, file, language = '', code = '']) => ({ language, file, code }),
  );
