/** A duration as people say it. */
export const toDuration = (ms: number): string => {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
};

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

/** A size as people say it; a kilobyte has 1,024 bytes. */
export const toSize = (bytes: number): string => {
  if (bytes < 1_024) return `${bytes} B`;
  const kilobytes = bytes / 1_024;
  if (kilobytes < 1_024) return `${kilobytes.toFixed(kilobytes < 10 ? 1 : 0)} KB`;
  return `${(kilobytes / 1_024).toFixed(1)} MB`;
};

/** The name of an exported recording; sorts by time. */
export const toExportName = (t: number): string =>
  `casement-${new Date(t).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.jsonl`;
