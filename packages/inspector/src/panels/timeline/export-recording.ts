import type { RecordingEntry } from '@casement/protocol';

const linesPerPart = 500;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Writes entries as lines of JSON, in parts, so that a long recording does not hold the page up. */
export const writeJsonlParts = async (
  entries: readonly RecordingEntry[],
  rest: () => Promise<void> = pause,
): Promise<string[]> => {
  const parts: string[] = [];
  for (let next = 0; next < entries.length; next += linesPerPart) {
    const lines = entries.slice(next, next + linesPerPart);
    parts.push(lines.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await rest();
  }
  return parts;
};

/** Lets the browser save the recording; nothing leaves the page. */
export const downloadRecording = async (entries: readonly RecordingEntry[]): Promise<void> => {
  const blob = new Blob(await writeJsonlParts(entries), { type: 'application/jsonl' });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = toExportName(Date.now());
  link.click();
  // The browser reads the address after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/** The name of an exported recording; sorts by time. */
export const toExportName = (t: number): string =>
  `casement-${new Date(t).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.jsonl`;
