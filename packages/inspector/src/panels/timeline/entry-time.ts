/** Time since the first entry. */
export const toRelative = (t: number, start: number): string => {
  const ms = Math.max(0, t - start);
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1_000).toFixed(3);
  return minutes > 0 ? `+${minutes}:${seconds.padStart(6, '0')}` : `+${seconds}`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** The clock on the wall here, to the millisecond. */
export const toClock = (t: number): string => {
  const at = new Date(t);
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${clock}.${String(at.getMilliseconds()).padStart(3, '0')}`;
};
