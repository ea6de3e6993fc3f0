import { compileSteps } from './compile-steps.js';
import type { Program } from './compile-steps.js';

/*
 * Counts what a regular expression costs. Engines try an expression at each place of the text and, where it can go on
 * in two ways, take one and come back for the other; this matcher does the same and counts each instruction. What it
 * counts for one search is what an engine without special cases would do.
 */

interface Attempt {
  at: number;
  steps: number;
  limit: number;
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character);
const isLineEnd = (character: string | undefined): boolean =>
  character === undefined ||
  character === '\n' ||
  character === '\r' ||
  character === '\u2028' ||
  character === '\u2029';

const readForward = (text: string, at: number, unicode: boolean): number =>
  unicode ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at);

const readBackward = (text: string, at: number, unicode: boolean): number => {
  const pair = unicode && at >= 2 ? (text.codePointAt(at - 2) ?? 0) : 0;
  return pair > 0xffff ? pair : text.charCodeAt(at - 1);
};

const atEdge = (text: string, at: number, kind: 'start' | 'end' | 'word', multiline: boolean): boolean => {
  if (kind === 'word') return isWord(text[at - 1]) !== isWord(text[at]);
  if (kind === 'start') return at === 0 || (multiline && isLineEnd(text[at - 1]));
  return at === text.length || (multiline && isLineEnd(text[at]));
};

/** Whether the program matches at this place; `attempt.at` is then where the match ends. */
const runAt = (
  program: Program,
  text: string,
  start: number,
  attempt: Attempt,
  outer?: readonly number[],
): boolean => {
  const { code, unicode, multiline } = program;
  // A way not yet taken: place in the program, place in the text, registers and groups as they were.
  const later: { pc: number; at: number; registers: readonly number[]; slots: readonly number[] }[] = [];
  let pc = 0;
  let at = start;
  let { registers } = program;
  let slots: readonly number[] = outer ?? program.slots;

  for (;;) {
    if (++attempt.steps > attempt.limit) return false;
    const step = code[pc];
    if (step === undefined) throw new Error('the program ran past its end');
    let failed = false;
    pc += 1;
    switch (step.op) {
      case 'match':
        attempt.at = at;
        return true;
      case 'set': {
        const inside = step.backwards ? at > 0 : at < text.length;
        const code = !inside ? 0 : (step.backwards ? readBackward : readForward)(text, at, unicode);
        const size = code > 0xffff ? 2 : 1;
        if (inside && step.has(code)) at += step.backwards ? -size : size;
        else failed = true;
        break;
      }
      case 'split':
        later.push({ pc: step.second, at, registers, slots });
        pc = step.first;
        break;
      case 'jump':
        pc = step.to;
        break;
      case 'round':
        registers = registers.with(step.register, at);
        break;
      case 'progress':
        failed = registers[step.register] === at;
        break;
      case 'edge':
        failed = atEdge(text, at, step.kind, multiline) === step.negate;
        break;
      case 'look':
        failed = runAt(step.program, text, at, attempt, slots) === step.negate;
        break;
      case 'save':
        slots = slots.with(step.slot, at);
        break;
      case 'again': {
        const copy = text.slice(slots[2 * step.group] ?? 0, slots[2 * step.group + 1] ?? 0);
        const from = step.backwards ? at - copy.length : at;
        attempt.steps += copy.length;
        const there = text.slice(from, from + copy.length);
        failed = program.ignoreCase ? there.toLowerCase() !== copy.toLowerCase() : there !== copy;
        if (!failed) at += step.backwards ? -copy.length : copy.length;
        break;
      }
    }
    if (!failed) continue;
    const way = later.pop();
    if (way === undefined) return false;
    ({ pc, at, registers, slots } = way);
  }
};

const programs = new Map<string, Program>();
/** Those of expressions seen before: writing one as text takes longer than most searches. */
const known = new WeakMap<RegExp, Program>();

const programOf = (expression: RegExp): Program => {
  let program = known.get(expression);
  if (program !== undefined) return program;
  const key = String(expression);
  program = programs.get(key);
  if (program === undefined) programs.set(key, (program = compileSteps(expression)));
  known.set(expression, program);
  return program;
};

/** The end of the first match from `from` on, and the steps that the search took; `Infinity` for a search given up. */
export const searchSteps = (
  expression: RegExp,
  text: string,
  from = 0,
  limit = Infinity,
): { start: number; end: number; steps: number } => {
  const program = programOf(expression);
  const attempt: Attempt = { at: -1, steps: 0, limit };
  for (let start = from; start <= text.length; start += 1) {
    if (runAt(program, text, start, attempt)) return { start, end: attempt.at, steps: attempt.steps };
    if (attempt.steps > limit) return { start: -1, end: -1, steps: Infinity };
    if (expression.sticky) break;
  }
  return { start: -1, end: -1, steps: attempt.steps };
};

/** The steps that finding every match takes, as `replace` and `split` do; `Infinity` beyond the limit. */
export const countSteps = (expression: RegExp, text: string, limit = 5e6): number => {
  let steps = 0;
  for (let from = 0; from <= text.length;) {
    const found = searchSteps(expression, text, from, limit - steps);
    steps += found.steps;
    if (found.end === -1 || steps > limit) break;
    from = found.end > from ? found.end : from + 1;
  }
  return steps;
};
