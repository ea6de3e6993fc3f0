import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

/** A text of any size: `before`, then `pumped` as often as the size says, then `after`. */
export interface Attack {
  before: string;
  pumped: string;
  after: string;
}

/** Writes the attack out, about this many characters long. */
export const toText = ({ before, pumped, after }: Attack, length: number): string =>
  before + pumped.repeat(Math.max(1, Math.ceil(length / pumped.length))) + after;

const CANDIDATES = [
  ...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)).toReversed(),
  ...'\u00a0\u00e9\u0130\u017f\u0301\u200b\u200d\u202e\u2028\u3000\ufe0f\ud800',
  '\u{1f600}',
  '\u{e0041}',
];

const isCharacterNode = (node: AST.Node): boolean =>
  node.type === 'Character' ||
  node.type === 'CharacterSet' ||
  node.type === 'CharacterClass' ||
  node.type === 'ExpressionCharacterClass';

/** One character for each different answer that the sets of an expression give. */
const toAlphabet = (literal: AST.RegExpLiteral): string[] => {
  const kept = ['i', 's', 'u', 'v'].filter((flag) => literal.flags.raw.includes(flag)).join('');
  const sets = new Map<string, RegExp>([['\\w', /^\w$/]]);
  const visit = (node: AST.Node): void => {
    if (
      isCharacterNode(node) &&
      node.parent?.type !== 'CharacterClass' &&
      node.parent?.type !== 'CharacterClassRange'
    )
      sets.set(node.raw, new RegExp(`^(?:${node.raw})$`, kept));
  };
  visitRegExpAST(literal.pattern, {
    onCharacterEnter: visit,
    onCharacterSetEnter: visit,
    onCharacterClassEnter: visit,
  });
  const bySignature = new Map<string, string>();
  for (const character of CANDIDATES) {
    const signature = [...sets.values()].map((set) => (set.test(character) ? '1' : '0')).join('');
    if (!bySignature.has(signature)) bySignature.set(signature, character);
  }
  return [...bySignature.values()];
};

/** A text that the node matches, with each loop taken `loops` times more than it must be. */
const sample = (node: AST.Node, alphabet: string[], flags: string, loops: number, choice: number): string => {
  const inner = (child: AST.Node): string => sample(child, alphabet, flags, loops, choice);
  switch (node.type) {
    case 'Alternative':
      return node.elements.map(inner).join('');
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup': {
      const alternative = node.alternatives[choice % node.alternatives.length];
      return alternative === undefined ? '' : inner(alternative);
    }
    case 'Quantifier':
      return inner(node.element).repeat(Math.min(node.max, Math.min(node.min, 64) + loops));
    case 'Backreference':
      return Array.isArray(node.resolved) ? '' : inner(node.resolved);
    case 'Assertion':
      return '';
    default: {
      if (!isCharacterNode(node)) return '';
      const set = new RegExp(`^(?:${node.raw})$`, flags);
      const fitting = alphabet.filter((character) => set.test(character));
      return fitting[choice % Math.max(1, fitting.length)] ?? '';
    }
  }
};

/** What stands before a node in the alternatives that lead to it. */
const samplePrefix = (node: AST.Node, ...how: [string[], string, number, number]): string => {
  const { parent } = node;
  if (parent === null || parent === undefined) return '';
  const before = samplePrefix(parent, ...how);
  if (parent.type !== 'Alternative') return before;
  const siblings = parent.elements.slice(0, parent.elements.indexOf(node as AST.Element));
  return before + siblings.map((sibling) => sample(sibling, ...how)).join('');
};

/** The pieces that an expression's own syntax gives: its characters, its loops, what leads to them, all of it. */
export const toPieces = (
  expression: RegExp,
): { alphabet: string[]; pieces: string[]; loops: AST.Quantifier[] } => {
  const literal = new RegExpParser().parseLiteral(String(expression));
  const flags = ['i', 's', 'u', 'v'].filter((flag) => literal.flags.raw.includes(flag)).join('');
  const alphabet = toAlphabet(literal);
  const loops: AST.Quantifier[] = [];
  visitRegExpAST(literal.pattern, {
    onQuantifierEnter: (node) => {
      if (node.max - node.min >= 16) loops.push(node);
    },
  });
  const pieces = new Set<string>();
  for (const choice of [0, 1, 2]) {
    for (const loop of loops) {
      const prefix = samplePrefix(loop, alphabet, flags, 0, choice);
      const body = sample(loop.element, alphabet, flags, 0, choice);
      pieces
        .add(body)
        .add(prefix)
        .add(prefix + body.repeat(Math.min(loop.min, 64) + 1));
    }
    for (const extra of [0, 1, 3]) pieces.add(sample(literal.pattern, alphabet, flags, extra, choice));
  }
  for (const character of alphabet) pieces.add(character);
  pieces.delete('');
  return { alphabet, pieces: [...pieces], loops };
};

/** The attacks worth trying on an expression, most telling first. */
export function* listAttacks(expression: RegExp): Generator<Attack> {
  const { alphabet, pieces, loops } = toPieces(expression);
  if (loops.length === 0) return;
  const ends = ['', ...alphabet];
  for (const pumped of pieces) for (const after of ends) yield { before: '', pumped, after };
  for (const piece of pieces)
    for (const edge of alphabet) {
      for (const after of ['', edge]) {
        yield { before: '', pumped: edge + piece, after };
        yield { before: '', pumped: piece + edge, after };
        yield { before: piece, pumped: edge, after };
      }
      yield { before: edge, pumped: piece, after: edge };
    }
}
