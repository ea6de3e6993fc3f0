import type { RecordingEntry } from '@casement/protocol';
import { isRecord } from '@casement/protocol';
import { element, textElement } from './page-elements.js';
import type { PageRecording } from './page-recording.js';
import { toPrintable, toPrintableJson } from './printable-text.js';

const maxRows = 120;
const refreshMs = 150;

const toRoute = ({ leg, dir }: RecordingEntry): string => {
  if (leg === 'none' || dir === 'none') return leg === 'none' ? 'host' : leg;
  return dir === 'in' ? `${leg} → host` : `host → ${leg}`;
};

/** Remembers which method an id stands for, so that an answer can be called by what it answers. */
const createMethodNames = (): ((entry: RecordingEntry) => string | undefined) => {
  const names = new Map<string, string>();
  return ({ kind, raw, writer, session, leg, dir }) => {
    if (!isRecord(raw) || (kind !== 'request' && kind !== 'response')) return undefined;
    const asked = kind === 'request' ? dir : dir === 'in' ? 'out' : 'in';
    const key = JSON.stringify([writer, session, leg, asked, raw.id]);
    if (kind === 'response') return names.get(key);
    if (names.size > 1_000) names.clear();
    names.set(key, String(raw.method));
    return undefined;
  };
};

const toSummary = ({ kind, raw }: RecordingEntry, answered: string | undefined): string => {
  if (!isRecord(raw)) return typeof raw === 'string' ? raw : '';
  if (typeof raw.method === 'string') return raw.method;
  if (kind === 'response' && isRecord(raw.error))
    return `${answered ?? ''} error: ${String(raw.error.message)}`.trim();
  if (kind === 'response') return answered ?? `answer to ${String(raw.id)}`;
  for (const name of ['step', 'event', 'status', 'decision', 'code', 'directive', 'message', 'reason'])
    if (typeof raw[name] === 'string') return raw[name];
  return '';
};

const toClock = (t: number): string => new Date(t).toISOString().slice(11, 23);

const toRow = (entry: RecordingEntry, answered: string | undefined): HTMLLIElement => {
  const row = document.createElement('li');
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.append(
    textElement('time', toClock(entry.t)),
    textElement('span', toRoute(entry), 'route'),
    textElement('span', entry.kind, 'kind'),
    textElement('span', toPrintable(toSummary(entry, answered), 160), 'what'),
  );
  details.append(summary);
  details.addEventListener(
    'toggle',
    () => details.append(textElement('pre', toPrintableJson(entry.raw, 8_000))),
    { once: true },
  );
  row.dataset.kind = entry.kind;
  row.append(details);
  return row;
};

/** Shows the newest entries of the recording; the whole of it is in window.casement.recording(). */
export const createLogView = (recording: PageRecording): void => {
  const list = element('log', HTMLElement);
  const count = element('log-count', HTMLElement);
  const nameMethod = createMethodNames();
  const rows = new Map<string, HTMLLIElement>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (): void => {
    timer = undefined;
    const size = recording.size();
    count.textContent = size > maxRows ? `newest ${maxRows} of ${size}` : `${size}`;
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const wanted = recording.newest(maxRows).map((entry) => [`${entry.writer}${entry.seq}`, entry] as const);
    const keys = new Set<string>(wanted.map(([key]) => key));
    for (const key of rows.keys()) if (!keys.has(key)) rows.delete(key);
    for (const [key, entry] of wanted) if (!rows.has(key)) rows.set(key, toRow(entry, nameMethod(entry)));
    list.replaceChildren(...wanted.flatMap(([key]) => rows.get(key) ?? []));
    if (atEnd) list.scrollTop = list.scrollHeight;
  };

  recording.subscribe(() => {
    timer ??= setTimeout(show, refreshMs);
  });
  show();
};
