import { listAttacks, toText } from './attack-strings.js';
import type { Attack } from './attack-strings.js';
import { countSteps } from './count-steps.js';

const GROWTH = 2.5;
const STEP_LIMIT = 2e6;

/** A text on which an expression does more than linear work, and how much more twice the text costs. */
export interface FoundAttack extends Attack {
  growth: number;
}

const growthAt = (expression: RegExp, attack: Attack, length: number): number => {
  const larger = countSteps(expression, toText(attack, 2 * length), STEP_LIMIT);
  return larger / countSteps(expression, toText(attack, length), STEP_LIMIT);
};

/** Tries an attack on short texts first; a bounded repetition is only dear there, and is let go on longer ones. */
export const tryAttack = (expression: RegExp, attack: Attack): FoundAttack | undefined => {
  if (growthAt(expression, attack, 150) <= GROWTH) return undefined;
  const growth = growthAt(expression, attack, 1500);
  return growth <= GROWTH ? undefined : { ...attack, growth };
};

/** The first attack that makes an expression do more than linear work, of at most `most` spread over all of them. */
export const findAttack = (expression: RegExp, most = Infinity): FoundAttack | undefined => {
  const attacks = [...listAttacks(expression)];
  const stride = Math.max(1, attacks.length / most);
  for (let index = 0; index < attacks.length; index += stride) {
    const attack = attacks[Math.floor(index)];
    const found = attack && tryAttack(expression, attack);
    if (found) return found;
  }
  return undefined;
};
