const MAX_CHARS = 200;
const MAX_CANDIDATES = 20_000;
const MAX_NEAREST = 3;
/** Words that differ by more letters than this are different words, however long they are. */
const MAX_SLIPS = 6;
/** How many pairs of letters are compared in all; candidates are foreign text, and nothing else runs meanwhile. */
const MAX_WORK = 2_000_000;

/** The candidates that differ from a word by a slip or two, nearest first; a longer word may differ more. */
export const findNearest = (word: string, candidates: Iterable<string>): string[] => {
  if (word === '' || word.length > MAX_CHARS) return [];
  const wanted = word.toLowerCase();
  const most = Math.min(MAX_SLIPS, Math.max(1, Math.floor(word.length / 4)));
  const near = new Map<string, number>();
  let seen = 0;
  let work = 0;
  for (const candidate of candidates) {
    if ((seen += 1) > MAX_CANDIDATES || work > MAX_WORK) break;
    if (candidate === word || near.has(candidate)) continue;
    if (Math.abs(candidate.length - word.length) > most) continue;
    work += word.length * (2 * most + 1);
    const steps = countSteps(wanted, candidate.toLowerCase(), most);
    if (steps <= most) near.set(candidate, steps);
  }
  return [...near.keys()]
    .sort((one, other) => (near.get(one) ?? 0) - (near.get(other) ?? 0) || (one < other ? -1 : 1))
    .slice(0, MAX_NEAREST);
};

/** How many letters have to be put in, taken out, changed or swapped with their neighbour; past `most` it does not matter. */
const countSteps = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = new Array<number>(other.length + 1).fill(Infinity);
    current[0] = row;
    // What lies further from the diagonal has taken too many steps already.
    const end = Math.min(other.length, row + most);
    for (let column = Math.max(1, row - most); column <= end; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? Infinity) + 1,
        (current[column - 1] ?? Infinity) + 1,
        (last[column - 1] ?? Infinity) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? Infinity;
};
