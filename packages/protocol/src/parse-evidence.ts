import type { AppEvidence, HostDependentApi, ShownValue } from './evidence.js';
import { isRecord, readOwn } from './is-record.js';
import { REDACTED, isSecretName } from './recording/secret-names.js';

/*
 * Reads what the page of an app reported of itself. Everything is rebuilt from the parts below within bounds; what is no
 * part of a report is left out, and a report that is none is undefined. Members that are named like secrets lose their
 * value here, as a recording knows them by a name in front of them.
 */

const maxAddress = 2000;
const maxText = 2000;
const maxName = 200;
const maxLanguage = 40;
const maxValues = 20;
const maxMembers = 50;
const maxDepth = 5;
/** Values of one console line together. */
const maxNodes = 300;

const valueTypes: Readonly<Record<ShownValue['type'], true>> = {
  string: true,
  number: true,
  bigint: true,
  boolean: true,
  undefined: true,
  null: true,
  symbol: true,
  function: true,
  array: true,
  object: true,
  error: true,
  element: true,
  getter: true,
};
const apis: readonly HostDependentApi[] = [
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'cookie',
  'caches',
  'alert',
  'confirm',
  'prompt',
  'open',
  'print',
  'clipboard',
  'camera-microphone',
  'screen-capture',
  'geolocation',
  'notifications',
  'eval',
  'service-worker',
  'picture-in-picture',
  'fullscreen',
];
const levels = { debug: true, log: true, info: true, warn: true, error: true } as const;
const outcomes = { used: true, refused: true } as const;
const directions = { ltr: true, rtl: true } as const;

/** One of the names of a table; own ones alone, so that `constructor` is none. */
const toName = <N extends string>(table: Readonly<Record<N, true>>, value: unknown): N | undefined =>
  typeof value === 'string' && Object.hasOwn(table, value) ? (value as N) : undefined; // just looked up

const toText = (value: unknown, most: number): string =>
  typeof value === 'string' ? value.slice(0, most) : '';

const toCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const toNumber = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;

const toPlace = (value: unknown): { sourceFile?: string; line?: number; column?: number } => {
  const sourceFile = toText(readOwn(value, 'sourceFile'), maxAddress);
  const line = toCount(readOwn(value, 'line'));
  const column = toCount(readOwn(value, 'column'));
  return {
    ...(sourceFile === '' ? {} : { sourceFile }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
};

/** What is left of the values of one line. */
interface Room {
  nodes: number;
}

const toShown = (value: unknown, room: Room, depth: number): ShownValue | undefined => {
  const type = toName(valueTypes, readOwn(value, 'type'));
  if (type === undefined || (room.nodes -= 1) < 0) return undefined;
  const given = readOwn(value, 'members');
  const listed: readonly unknown[] = Array.isArray(given) && depth < maxDepth ? given : [];
  const members = listed.slice(0, maxMembers).flatMap((member): (readonly [string, ShownValue])[] => {
    if (!Array.isArray(member)) return [];
    const name = toText(member[0], maxName);
    const shown = toShown(member[1], room, depth + 1);
    if (!shown) return [];
    return [[name, isSecretName(name, 'plain') ? { type: shown.type, text: REDACTED } : shown]];
  });
  const more = toCount(readOwn(value, 'more'));
  return {
    type,
    text: toText(readOwn(value, 'text'), maxText),
    ...(members.length > 0 ? { members } : {}),
    ...(more === undefined || more === 0 ? {} : { more }),
  };
};

const toConsole = (value: unknown): Fact | undefined => {
  const level = toName(levels, readOwn(value, 'level'));
  const given = readOwn(value, 'values');
  if (level === undefined || !Array.isArray(given)) return undefined;
  const room = { nodes: maxNodes };
  const count = toCount(readOwn(value, 'count'));
  return {
    kind: 'console',
    level,
    values: given.slice(0, maxValues).flatMap((one) => toShown(one, room, 0) ?? []),
    ...(count !== undefined && count > 1 ? { count } : {}),
    ...toPlace(value),
  };
};

const toWriting = (value: unknown): { lang?: string; dir?: 'ltr' | 'rtl' } => {
  const lang = readOwn(value, 'lang');
  const dir = toName(directions, readOwn(value, 'dir'));
  return {
    ...(typeof lang === 'string' ? { lang: toText(lang, maxLanguage) } : {}),
    ...(dir === undefined ? {} : { dir }),
  };
};

/** What a report says besides when. */
type Fact = AppEvidence extends infer E ? (E extends AppEvidence ? Omit<E, 'at'> : never) : never;

/** The fact in a report; undefined for one of no known kind. */
const toFact = (value: Record<string, unknown>): Fact | undefined => {
  switch (readOwn(value, 'kind')) {
    case 'load-failed': {
      const status = toCount(readOwn(value, 'status'));
      return {
        kind: 'load-failed',
        url: toText(readOwn(value, 'url'), maxAddress),
        element: toText(readOwn(value, 'element'), maxName).toLowerCase(),
        ...(status === undefined || status === 0 ? {} : { status }),
        ...toPlace(value),
      };
    }
    case 'console':
      return toConsole(value);
    case 'api': {
      const given = readOwn(value, 'api');
      const api = apis.find((name) => name === given);
      const outcome = toName(outcomes, readOwn(value, 'outcome'));
      if (api === undefined || outcome === undefined) return undefined;
      const unguarded = readOwn(value, 'unguarded') === true ? ({ unguarded: true } as const) : {};
      return { kind: 'api', api, outcome, ...unguarded, ...toPlace(value) };
    }
    case 'long-task':
      return { kind: 'long-task', ms: toNumber(readOwn(value, 'ms')) };
    case 'painted':
      return { kind: 'painted' };
    case 'layout':
      return {
        kind: 'layout',
        width: toNumber(readOwn(value, 'width')),
        contentWidth: toNumber(readOwn(value, 'contentWidth')),
        contentHeight: toNumber(readOwn(value, 'contentHeight')),
        boxes: toNumber(readOwn(value, 'boxes')),
        ...toWriting(value),
      };
    default:
      return undefined;
  }
};

/** Reads one report, as it came from an app or stands in a recording; undefined if it is none. */
export const parseEvidence = (value: unknown): AppEvidence | undefined => {
  if (!isRecord(value)) return undefined;
  const at = readOwn(value, 'at');
  const fact = toFact(value);
  if (fact === undefined || typeof at !== 'number' || !Number.isFinite(at)) return undefined;
  // A fact of one kind with its time is a report of that kind; the spread of a union loses that.
  return { at, ...fact } as AppEvidence;
};
