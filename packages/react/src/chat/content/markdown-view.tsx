import { toPrintable } from '@casement/protocol/basics';
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import type { ReactNode } from 'react';
import { createElement, memo } from 'react';
import { CodeBlock } from './code-block.js';
import { isWebAddress } from './web-address.js';

/*
 * Loaded on demand. The parser makes tokens and this file makes elements of them, so that there never is a text of HTML:
 * markup is shown as it was written, images are named and not fetched, and only web addresses are links.
 */

// Nobody writes lists in lists in lists this deep; every level is a level of the page.
const maxNesting = 20;

// A constant of its own, as the types of the parser do not know all of its options.
const settings = { html: false, linkify: false, breaks: false, maxNesting };
const parser = new MarkdownIt(settings);
parser.validateLink = isWebAddress;

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

/** A piece of what a model wrote, in Markdown. */
export const MarkdownView = memo(({ text }: { readonly text: string }) => {
  const tokens = parser.parse(text, {});
  // Too deep for the parser, which would leave words out; or nothing but definitions, which it does not show.
  const isWhole = tokens.length > 0 && tokens.every(({ level }) => level < maxNesting - 1);
  return isWhole ? toNodes(tokens) : <p>{text}</p>;
});

interface OpenElement {
  readonly token: Token;
  readonly children: ReactNode[];
}

/** The elements of a flat list of tokens, in which an opening and a closing one enclose what is inside. */
const toNodes = (tokens: readonly Token[]): ReactNode[] => {
  const top: ReactNode[] = [];
  const open: OpenElement[] = [];
  tokens.forEach((token, key) => {
    const place = open.at(-1)?.children ?? top;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) place.push(toLeaf(token, key));
    else {
      const element = open.pop();
      if (element) (open.at(-1)?.children ?? top).push(toElement(element, key));
    }
  });
  return top;
};

const toElement = ({ token, children }: OpenElement, key: number): ReactNode => {
  const name = token.type.replace(/_open$/, '');
  // A paragraph of a tight list is only its words.
  if (token.hidden) return children;
  if (name === 'link') return toLink(String(token.attrGet('href') ?? ''), children, key);
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

const toLeaf = (token: Token, key: number): ReactNode => {
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
          language={token.info.trim().split(/\s/)[0] ?? ''}
        />
      );
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'hr':
      return <hr key={key} />;
    case 'image':
      return toLink(String(token.attrGet('src') ?? ''), [toShown(token.content)], key);
    default:
      return toShown(token.content);
  }
};

/** A model may have been talked into words that name another place: the host stands beside all that is not the address. */
const toLink = (address: string, children: readonly ReactNode[], key: number): ReactNode => {
  // The parser lets an empty address through.
  if (!isWebAddress(address)) return children;
  return (
    <a key={key} href={address} target="_blank" rel="noopener noreferrer" title={toShown(address)}>
      {...children}
      {children.join('') === address ? '' : ` (${new URL(address).host})`}
    </a>
  );
};

/** An entity may have brought letters back that nobody sees. */
const toShown = (text: string): string => toPrintable(text, Infinity, { lines: 'keep' });
