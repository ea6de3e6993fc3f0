import { toPrintable } from '@casement/protocol/basics';
import type { Token } from 'markdown-it';
import type { ReactNode } from 'react';
import { createElement, Fragment, useState } from 'react';
import { CodeBlock } from './code-block.js';
import { parseMarkdown } from './parse-markdown.js';
import type { TextBlock } from './text-blocks.js';
import { toWebAddress } from './web-address.js';

/*
 * Loaded on demand. The parser makes tokens and this file makes elements of them, so that there never is a text of HTML:
 * markup is shown as it was written, images are named and not fetched, and only web addresses are links.
 */

/** The elements that may come of a text, by the name that the parser has for them. */
const elements: Readonly<Record<string, string>> = {
  paragraph: 'p',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  blockquote: 'blockquote',
  table: 'table',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  em: 'em',
  strong: 'strong',
  s: 's',
};

/** More than an answer of a hundred pages has; the blocks of one text share it. */
const maxTokens = 30_000;

/** A block up to here is drawn anew with each word that comes. */
const maxLive = 2000;

interface MarkdownBlocksProps {
  readonly groups: readonly (readonly TextBlock[])[];
  /** More words are on their way. */
  readonly isGrowing: boolean;
}

/** The blocks of what a model wrote, in Markdown. */
export const MarkdownBlocks = ({ groups, isGrowing }: MarkdownBlocksProps) => {
  const [draw] = useState(createDrawing);
  return draw(groups, isGrowing);
};

/** A text that was drawn, how many tokens there was room for, and how many were made. */
interface DrawnText {
  readonly text: string;
  readonly room: number;
  readonly node: ReactNode;
  readonly cost: number;
}

/** The same for a group of blocks. */
interface DrawnGroup extends Omit<DrawnText, 'text'> {
  readonly blocks: readonly TextBlock[];
  readonly isGrowing: boolean;
}

/** Creates what draws one text again and again while it grows; of what stayed the same, nothing is parsed or made anew. */
export const createDrawing = (): ((
  groups: MarkdownBlocksProps['groups'],
  isGrowing: boolean,
) => ReactNode[]) => {
  // By their places.
  const drawnTexts: DrawnText[][] = [];
  const drawnGroups: DrawnGroup[] = [];

  const drawText = (texts: DrawnText[], place: number, text: string, room: number): DrawnText => {
    const known = texts[place];
    if (known?.text === text && known.room === room) return known;
    const { tokens, cost } = parseMarkdown(text, room);
    return (texts[place] = { text, room, cost, node: tokens ? toNodes(tokens) : <p>{text}</p> });
  };

  const drawGroup = (
    place: number,
    blocks: readonly TextBlock[],
    isGrowing: boolean,
    room: number,
  ): DrawnGroup => {
    const known = drawnGroups[place];
    if (known?.blocks === blocks && known.isGrowing === isGrowing && known.room === room) return known;
    const texts = (drawnTexts[place] ??= []);
    let cost = 0;
    const nodes = blocks.map((block, key) => {
      if (block.type === 'code') return <CodeBlock key={key} text={block.text} language={block.language} />;
      if (block.isPlain) return <p key={key}>{block.text}</p>;
      const isOpen = isGrowing && key === blocks.length - 1;
      const length = isOpen ? toDrawnLength(block.text) : block.text.length;
      const drawn = drawText(texts, key, block.text.slice(0, length), room - cost);
      cost += drawn.cost;
      const rest = block.text.slice(length);
      return (
        <Fragment key={key}>
          {drawn.node}
          {rest !== '' && <p>{rest}</p>}
        </Fragment>
      );
    });
    const node = <Fragment key={place}>{nodes}</Fragment>;
    return (drawnGroups[place] = { blocks, isGrowing, room, cost, node });
  };

  return (groups, isGrowing) => {
    let room = maxTokens;
    return groups.map((blocks, place) => {
      const { node, cost } = drawGroup(place, blocks, isGrowing && place === groups.length - 1, room);
      room -= cost;
      return node;
    });
  };
};

/**
 * How much of a block that grows is drawn; the rest is shown as it comes. A long block is drawn anew each time that it
 * grew by a sixteenth, so that all the drawing together is in proportion to the text.
 */
const toDrawnLength = (text: string): number => {
  if (text.length <= maxLive) return text.length;
  let end = maxLive;
  for (let next = end; next <= text.length; next = Math.ceil(next * (17 / 16))) end = next;
  // Between two lines or words, if there are any nearby.
  const before = text.slice(end - 200, end);
  const cut = before.includes('\n') ? before.lastIndexOf('\n') : before.lastIndexOf(' ');
  return cut < 0 ? end : end - 200 + cut + 1;
};

interface OpenElement {
  readonly token: Token;
  readonly children: ReactNode[];
}

/** The elements of a flat list of tokens, in which an opening and a closing one enclose what is inside. */
const toNodes = (tokens: readonly Token[]): ReactNode[] => {
  const top: ReactNode[] = [];
  const open: OpenElement[] = [];
  // Of links in links only the outer one can be followed.
  const isInLink = (): boolean => open.some(({ token }) => token.type === 'link_open');
  tokens.forEach((token, key) => {
    if (token.nesting === 1) open.push({ token, children: [] });
    else {
      const element = token.nesting === -1 ? open.pop() : undefined;
      const node = element ? toElement(element, key, isInLink()) : toLeaf(token, key, isInLink());
      (open.at(-1)?.children ?? top).push(node);
    }
  });
  return top;
};

const toElement = ({ token, children }: OpenElement, key: number, isInLink: boolean): ReactNode => {
  const name = token.type.replace(/_open$/, '');
  // A paragraph of a tight list is only its words.
  if (token.hidden) return children;
  if (name === 'link') return toLink(toTarget(token, 'href'), children, key, isInLink);
  if (name === 'heading') {
    // The page has headings of its own: those of a message come below them.
    const level = Math.min(Number(token.tag.slice(1)) + 2, 6);
    return (
      <div key={key} role="heading" aria-level={level} className="casement-heading">
        {children}
      </div>
    );
  }
  const start = name === 'ordered_list' ? Number(token.attrGet('start') ?? 1) : undefined;
  const tag = elements[name];
  return tag === undefined ? children : createElement(tag, { key, start }, ...children);
};

const toLeaf = (token: Token, key: number, isInLink: boolean): ReactNode => {
  switch (token.type) {
    case 'inline':
      return toNodes(token.children ?? []);
    case 'code_inline':
      return <code key={key}>{toShown(token.content)}</code>;
    case 'fence':
    case 'code_block':
      return (
        <CodeBlock
          key={key}
          text={toShown(token.content.replace(/\n$/, ''))}
          language={toShown(token.info.trim())}
        />
      );
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'hr':
      return <hr key={key} />;
    case 'image':
      return toLink(toTarget(token, 'src'), [toShown(token.content)], key, isInLink);
    default:
      return toShown(token.content);
  }
};

/** Where a link leads, and the words beside its address. */
interface LinkTarget {
  readonly address: string;
  readonly title: string;
}

const toTarget = (token: Token, name: 'href' | 'src'): LinkTarget => ({
  address: token.attrGet(name) ?? '',
  title: toShown(token.attrGet('title') ?? ''),
});

/**
 * Draws a link. The host of its address is shown beside the text unless the text is the address itself, because a model
 * may have been led to write a misleading text.
 */
const toLink = (
  { address, title }: LinkTarget,
  children: readonly ReactNode[],
  key: number,
  isInLink: boolean,
): ReactNode => {
  const words = title === '' ? children : [...children, ` “${title}”`];
  const url = toWebAddress(address);
  // The parser lets an empty address through.
  if (!url) return words;
  const shown = words.join('') === address ? words : [...words, ` (${url.host})`];
  if (isInLink) return shown;
  return (
    <a key={key} href={url.href} target="_blank" rel="noopener noreferrer" title={url.href}>
      {...shown}
    </a>
  );
};

/** An entity may have brought letters back that nobody sees. */
const toShown = (text: string): string => toPrintable(text, Infinity, { lines: 'keep' });
