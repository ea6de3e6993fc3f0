import type { AppSnapshot } from '@casement/host';
import type { AppEvidence } from '@casement/protocol';
import { toDuration } from '../../parts/quantity.js';

/** What is read of an app's snapshot. */
export type DrawnApp = Pick<AppSnapshot, 'evidence' | 'times' | 'sizes'>;

type Of<Kind extends AppEvidence['kind']> = Extract<AppEvidence, { kind: Kind }>;

const listOf = <Kind extends AppEvidence['kind']>({ evidence }: DrawnApp, kind: Kind): Of<Kind>[] =>
  evidence.items.filter((item): item is Of<Kind> => item.kind === kind);

/** Counted from the moment the app was asked for. */
const toAfter = (at: number, { times }: DrawnApp): string =>
  times.started === undefined ? 'at some time' : `after ${toDuration(Math.max(0, at - times.started))}`;

const toTasks = (tasks: readonly Of<'long-task'>[]): string => {
  if (tasks.length === 0) return 'none of more than 50 ms';
  const all = tasks.map(({ ms }) => ms);
  const longest = toDuration(Math.max(...all));
  return all.length === 1
    ? `one of ${longest}`
    : `${all.length}, the longest ${longest}, together ${toDuration(all.reduce((sum, ms) => sum + ms, 0))}`;
};

const toContent = ({ width, contentWidth, contentHeight }: Of<'layout'>): string => {
  const over = contentWidth - width;
  const size = `${contentWidth} × ${contentHeight} px in a frame ${width} px wide`;
  return over > 1 ? `${size}: ${over} px are out of sight to the side` : `${size}: it fits`;
};

/** What the app's page says of what it draws, a name and a value each; nothing where nobody looked. */
export const toDrawingFacts = (app: DrawnApp): readonly (readonly [name: string, value: string])[] => {
  if (app.evidence.mode !== 'full') return [];
  const [painted] = listOf(app, 'painted');
  const layout = listOf(app, 'layout').at(-1);
  return [
    ['First content', painted ? toAfter(painted.at, app) : 'nothing was drawn yet'],
    ...(layout ? [['Content', toContent(layout)] as const] : []),
    ['Long tasks', toTasks(listOf(app, 'long-task'))],
  ];
};

/** Every size the page had and every size it asked for, in the order of time. */
export const toSizeHistory = (app: DrawnApp): readonly string[] => {
  const had = listOf(app, 'layout').map((layout) => ({
    at: layout.at,
    text: `the content is ${layout.contentWidth} × ${layout.contentHeight} px, the frame ${layout.width} px wide`,
  }));
  const asked = app.sizes.map(({ at, width, height }) => ({
    at,
    text: `the app asks for ${[
      ...(height === undefined ? [] : [`a height of ${height} px`]),
      ...(width === undefined ? [] : [`a width of ${width} px`]),
    ].join(' and ')}`,
  }));
  return [...had, ...asked].sort((a, b) => a.at - b.at).map(({ at, text }) => `${toAfter(at, app)}: ${text}`);
};
