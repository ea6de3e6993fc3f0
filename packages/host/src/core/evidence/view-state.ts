import { isRecord } from '../loaded/loaded.js';
import type { FramePlan } from '../frame/frame-plan.js';
import type { SessionOptions } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';
import type { SessionStore } from '../state/session-store.js';
import type { Surface } from '../surface.js';

/*
 * What the user would miss of an app's page: where it was scrolled, what was typed and chosen in it.
 *
 * The loader reads it and the guest can forge it, so nothing here acts on it. It is rebuilt from the parts below within
 * bounds, kept, and given back to the loader of the same document under the same policy, in the session that said it or
 * in one that the embedder hands it to. Only an embedder who says so gives it to another version of the document: its
 * server, whose app had it, could have kept it too. What is in it does not stand in the recording: people type it.
 */

/** What a loader said of its page. */
export interface Seen {
  /** The parts to keep, with whose they are; undefined when there is nothing, or nobody to give it back to. */
  readonly viewState: ViewState | undefined;
  /** Whether the app has something in its own storage. */
  readonly keeps: boolean;
  /** Whether it plays sound or film. */
  readonly isPlaying: boolean;
}

interface ViewState {
  /** The SHA-256 of the document. */
  readonly hash: string;
  /** The frames it had, and so its policy. */
  readonly frames: string;
  readonly view: View;
}

interface View {
  readonly fields: readonly Field[];
  readonly scrolls: readonly Scroll[];
}

/** A place in the page: the id of an element, then the numbers of children below it. */
type Place = readonly (string | number)[];

interface Field {
  readonly at: Place;
  readonly name: string;
  readonly kind: string;
  readonly value: string | boolean | readonly string[];
}

interface Scroll {
  readonly at: Place;
  readonly left: number;
  readonly top: number;
}

/** What a view is read from and given back through. */
interface ViewParts {
  readonly store: Pick<SessionStore, 'getSnapshot'>;
  readonly surface: Pick<Surface, 'readView' | 'giveView'>;
  readonly recorder: SessionRecorder;
  readonly plan: FramePlan | undefined;
}

const maxFields = 200;
const maxScrolls = 50;
const maxDepth = 100;
const maxName = 200;
const maxOptions = 100;
/** Characters of all texts of one view together. */
const maxText = 128 * 1024;
const farthest = 10_000_000;
const kinds: readonly string[] = ['text', 'checked', 'chosen', 'edited'];

/** Asks what the user would miss; never throws, and says in the recording how much there was. */
export const readViewState = async ({ store, surface, recorder, plan }: ViewParts): Promise<Seen> => {
  const said = await Promise.resolve(surface.readView?.()).catch(() => undefined);
  const view = parseView(said);
  const hash = store.getSnapshot().resource?.hash ?? '';
  const { fields, scrolls } = view;
  recorder.lifecycle('view-read', {
    answered: said !== undefined,
    fields: fields.length,
    scrolls: scrolls.length,
  });
  const isKept = hash !== '' && plan !== undefined && fields.length + scrolls.length > 0;
  return {
    viewState: isKept ? { hash, frames: plan.key, view } : undefined,
    keeps: readOwn(said, 'keeps') === true,
    isPlaying: readOwn(said, 'isPlaying') === true,
  };
};

/** Gives a view back, if it is one and of the very document that is shown now. */
export const giveViewState = (
  given: unknown,
  {
    store,
    surface,
    recorder,
    plan,
    of = 'same-document',
  }: ViewParts & { readonly of?: SessionOptions['viewStateOf'] },
): void => {
  const hash = store.getSnapshot().resource?.hash ?? '';
  const view = parseView(readOwn(given, 'view'));
  const { fields, scrolls } = view;
  const isOwn = hash !== '' && readOwn(given, 'hash') === hash && readOwn(given, 'frames') === plan?.key;
  const isGiven = isOwn || of === 'earlier-version';
  const why = isOwn ? {} : { reason: 'It is of another document or another policy.' };
  recorder.lifecycle('view-given', {
    given: isGiven,
    fields: fields.length,
    scrolls: scrolls.length,
    ...why,
  });
  if (isGiven) surface.giveView?.(view);
};

/** The view in what a loader said or an embedder kept; what is no part of one is left out. */
const parseView = (said: unknown): View => {
  let room = maxText;
  /** Whether a text still fits; what fits is counted. */
  const takeText = (text: unknown, max = maxText): text is string => {
    if (typeof text !== 'string' || text.length > max || text.length > room) return false;
    room -= text.length;
    return true;
  };
  const readPlace = (value: unknown): Place | undefined => {
    if (!Array.isArray(value) || value.length === 0 || value.length > maxDepth) return undefined;
    const [id, ...numbers]: readonly unknown[] = value;
    if (!takeText(id, maxName) || !numbers.every(isIndex)) return undefined;
    return [id, ...numbers];
  };
  const readValue = (kind: unknown, value: unknown): Field['value'] | undefined => {
    if (kind === 'checked') return typeof value === 'boolean' ? value : undefined;
    if (kind !== 'chosen') return takeText(value) ? value : undefined;
    if (!Array.isArray(value) || value.length > maxOptions) return undefined;
    const options: readonly unknown[] = value;
    return options.every((option) => takeText(option)) ? options : undefined;
  };
  const readField = (entry: unknown): Field[] => {
    const kind = kinds.find((known) => known === readOwn(entry, 'kind'));
    const at = readPlace(readOwn(entry, 'at'));
    const name = readOwn(entry, 'name') ?? '';
    const value = readValue(kind, readOwn(entry, 'value'));
    return kind !== undefined && at && value !== undefined && takeText(name, maxName)
      ? [{ at, name, kind, value }]
      : [];
  };
  const readScroll = (entry: unknown): Scroll[] => {
    const at = readPlace(readOwn(entry, 'at'));
    const [left, top] = [readOwn(entry, 'left'), readOwn(entry, 'top')];
    return at && isDistance(left) && isDistance(top) ? [{ at, left, top }] : [];
  };
  return {
    fields: toList(readOwn(said, 'fields'), maxFields).flatMap(readField),
    scrolls: toList(readOwn(said, 'scrolls'), maxScrolls).flatMap(readScroll),
  };
};

const toList = (value: unknown, max: number): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, max) : [];

const isIndex = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isDistance = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= farthest;

/** An own property alone: neither `constructor` nor `__proto__` answers for one. */
const readOwn = (value: unknown, key: string): unknown =>
  isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
