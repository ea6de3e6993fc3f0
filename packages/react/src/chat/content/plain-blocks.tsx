import { memo } from 'react';
import { CodeBlock } from './code-block.js';
import type { TextBlock } from './text-blocks.js';
import { toTextSpans } from './text-blocks.js';

/** The blocks of a text as they were written, but for code. They only ever grow at the end, so their place is their key. */
export const PlainBlocks = ({ groups }: { readonly groups: readonly (readonly TextBlock[])[] }) =>
  groups.map((blocks, index) => <PlainGroup key={index} blocks={blocks} />);

const PlainGroup = memo(({ blocks }: { readonly blocks: readonly TextBlock[] }) =>
  blocks.map((block, index) =>
    block.type === 'code' ? (
      <CodeBlock key={index} text={block.text} language={block.language} />
    ) : (
      <Paragraph key={index} text={block.text} isPlain={block.isPlain} />
    ),
  ),
);

const Paragraph = memo(({ text, isPlain }: { readonly text: string; readonly isPlain: boolean }) => (
  <p>
    {isPlain
      ? text
      : toTextSpans(text).map((span, index) =>
          span.type === 'code' ? <code key={index}>{span.text}</code> : span.text,
        )}
  </p>
));
