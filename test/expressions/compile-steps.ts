import { RegExpParser } from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

/** Whether a character, given by its code, is in a set. */
export type CharacterTest = (code: number) => boolean;

/** One instruction of the matcher; numbers are places in the program. */
export type Instruction =
  | { op: 'match' }
  | { op: 'set'; has: CharacterTest; backwards: boolean }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  /** Remembers where a round of a loop began; `progress` ends a round that took nothing. */
  | { op: 'round'; register: number }
  | { op: 'progress'; register: number }
  | { op: 'edge'; kind: 'start' | 'end' | 'word'; negate: boolean }
  | { op: 'look'; program: Program; negate: boolean }
  | { op: 'save'; slot: number }
  | { op: 'again'; group: number; backwards: boolean };

/** An expression as a list of instructions for a matcher that goes back, as the engines do. */
export interface Program {
  code: Instruction[];
  /** As they are before anything has matched; never written to. */
  registers: readonly number[];
  slots: readonly number[];
  unicode: boolean;
  multiline: boolean;
  ignoreCase: boolean;
}

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

const ASCII = 128;

/** Asks the engine itself, once for each character, so that classes and case need no code here. */
const toSet = (node: CharacterNode, flags: AST.Flags): CharacterTest => {
  const kept = ['i', 's', 'u', 'v'].filter((flag) => flags.raw.includes(flag)).join('');
  const expression = new RegExp(`^(?:${node.raw})$`, kept);
  const ask = (code: number): boolean => expression.test(String.fromCodePoint(code));
  const table = Array.from({ length: ASCII }, (_, code) => ask(code));
  const known = new Map<number, boolean>();
  return (code) => {
    let answer = code < ASCII ? table[code] : known.get(code);
    if (answer === undefined) known.set(code, (answer = ask(code)));
    return answer;
  };
};

/** Reads an expression into instructions. */
export const compileSteps = (expression: RegExp): Program => {
  const literal = new RegExpParser().parseLiteral(String(expression));
  const { flags, pattern } = literal;
  const sets = new Map<AST.Node, CharacterTest>();
  const groups: AST.CapturingGroup[] = [];
  let registers = 0;

  const compile = (alternatives: AST.Alternative[], backwards: boolean): Instruction[] => {
    const code: Instruction[] = [];
    emitAlternatives(alternatives, backwards, code);
    code.push({ op: 'match' });
    return code;
  };

  const toProgram = (code: Instruction[]): Program => ({
    code,
    registers: new Array<number>(registers).fill(-1),
    slots: new Array<number>(2 * (groups.length + 1)).fill(-1),
    unicode: flags.unicode || flags.unicodeSets,
    multiline: flags.multiline,
    ignoreCase: flags.ignoreCase,
  });

  function emitAlternatives(alternatives: AST.Alternative[], backwards: boolean, code: Instruction[]): void {
    const ends: { op: 'jump'; to: number }[] = [];
    alternatives.forEach((alternative, index) => {
      const split = { op: 'split' as const, first: code.length + 1, second: -1 };
      const isLast = index === alternatives.length - 1;
      if (!isLast) code.push(split);
      for (const element of backwards ? alternative.elements.toReversed() : alternative.elements)
        emit(element, backwards, code);
      if (isLast) return;
      const end = { op: 'jump' as const, to: -1 };
      ends.push(end);
      code.push(end);
      split.second = code.length;
    });
    for (const end of ends) end.to = code.length;
  }

  function emitQuantifier(node: AST.Quantifier, backwards: boolean, code: Instruction[]): void {
    for (let count = 0; count < node.min; count += 1) emit(node.element, backwards, code);
    const splits: { op: 'split'; first: number; second: number }[] = [];
    const emitOptional = (): void => {
      const split = { op: 'split' as const, first: code.length + 1, second: -1 };
      splits.push(split);
      code.push(split);
      emit(node.element, backwards, code);
    };
    if (node.max === Infinity) {
      const start = code.length;
      const register = registers++;
      const split = { op: 'split' as const, first: code.length + 1, second: -1 };
      splits.push(split);
      code.push(split, { op: 'round', register });
      emit(node.element, backwards, code);
      code.push({ op: 'progress', register }, { op: 'jump', to: start });
    } else {
      for (let count = node.min; count < node.max; count += 1) emitOptional();
    }
    for (const split of splits) {
      split.second = code.length;
      if (!node.greedy) [split.first, split.second] = [split.second, split.first];
    }
  }

  function emitAssertion(node: AST.Assertion, code: Instruction[]): void {
    if (node.kind === 'lookahead' || node.kind === 'lookbehind') {
      const inner = compile(node.alternatives, node.kind === 'lookbehind');
      code.push({ op: 'look', program: toProgram(inner), negate: node.negate });
    } else {
      code.push({ op: 'edge', kind: node.kind, negate: node.kind === 'word' && node.negate });
    }
  }

  function emit(node: AST.Element, backwards: boolean, code: Instruction[]): void {
    switch (node.type) {
      case 'Assertion':
        return emitAssertion(node, code);
      case 'Quantifier':
        return emitQuantifier(node, backwards, code);
      case 'Group':
        return emitAlternatives(node.alternatives, backwards, code);
      case 'CapturingGroup': {
        if (!groups.includes(node)) groups.push(node);
        const slot = 2 * (groups.indexOf(node) + 1);
        code.push({ op: 'save', slot: backwards ? slot + 1 : slot });
        emitAlternatives(node.alternatives, backwards, code);
        code.push({ op: 'save', slot: backwards ? slot : slot + 1 });
        return;
      }
      case 'Backreference': {
        const group = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved;
        code.push({ op: 'again', group: groups.indexOf(group as AST.CapturingGroup) + 1, backwards });
        return;
      }
      default: {
        const has = sets.get(node) ?? toSet(node, flags);
        sets.set(node, has);
        code.push({ op: 'set', has, backwards });
      }
    }
  }

  return toProgram(compile(pattern.alternatives, false));
};
