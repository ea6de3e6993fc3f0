/** The middle of some numbers. */
export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const toSummary = (numbers) => ({ min: Math.min(...numbers), median: median(numbers) });

/**
 * The row of a figure that was measured in several rounds, beside the same figure of something else. The least of all
 * rounds is what the thing itself costs: whatever else the machine does only adds to it. The median stands beside it.
 */
export const toComparison = ({ name, unit, casement, beside, other }) => {
  const own = toSummary(casement);
  const row = { name, unit, casement: own.min, median: own.median, all: casement };
  if (beside === undefined) return row;
  const theirs = toSummary(beside);
  return { ...row, beside: theirs.min, besideMedian: theirs.median, besideAll: beside, other };
};

const units = {
  ms: (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`,
  B: (value) => `${(value / 1024).toFixed(1)} KB`,
  MB: (value) => `${value.toFixed(value < 10 ? 1 : 0)} MB`,
};

/** A value with its unit; a unit that is not one of measure is the name of what was counted. */
const toText = (value, unit) => units[unit]?.(value) ?? `${value.toLocaleString('en')} ${unit}`;

/** How often the own value holds the other one, by the least of both; nothing where there is no other. */
export const toRatio = ({ casement, beside }) =>
  beside === undefined || beside === 0 ? undefined : casement / beside;

/** One line of print. */
export const toLine = (row) => {
  const { name, unit, casement, median: middle, beside, besideMedian, other } = row;
  const own = `${name.padEnd(58)}${toText(casement, unit).padStart(10)}`;
  const medians = [middle, besideMedian].filter((value) => value !== undefined);
  const tail =
    medians.length === 0 ? '' : `   (median ${medians.map((one) => toText(one, unit)).join(', ')})`;
  if (beside === undefined) return `${own}${tail}`;
  const ratio = toRatio(row);
  const times = ratio === undefined ? '' : `   × ${ratio.toFixed(2)}`;
  return `${own}   ${other} ${toText(beside, unit)}${times}${tail}`;
};
