import type { DisplayMode, HostContext, Tool } from '@casement/protocol';
import { displayModes, isRecord, styleVariableNames } from '@casement/protocol/start';
import { maxFonts } from '../limits.js';
import type { SessionOptions } from '../session-options.js';
import type { Surface } from '../surface.js';

/** The host context of one session, put together from its three sources. */
export interface SessionContext {
  /** What an app may be told now, sanitised. */
  current(): HostContext;
  /** Finds out language and time zone. */
  learnLanguage(): void;
  patch(patch: HostContext): void;
  patchSurface(patch: HostContext): void;
  /** What the loader of an older family is told besides, in place of what it was told before. */
  setFamily(values: Readonly<Record<string, unknown>>): void;
  readonly displayMode: DisplayMode;
  readonly offered: readonly DisplayMode[];
  setDisplayMode(mode: DisplayMode): void;
}

/** Makes the context of one session: what is known anywhere, the page's own values, the embedder's, then what the session decides; later ones win. */
export const createSessionContext = (options: SessionOptions, surface: Surface): SessionContext => {
  let known: HostContext = {};
  let page = toSafeHostContext(surface.context);
  let embedder = toSafeHostContext(options.hostContext ?? {});
  let family: Readonly<Record<string, unknown>> = {};
  let displayMode: DisplayMode = embedder.displayMode ?? 'inline';
  const offered = displayModes.filter(
    (mode) => mode === displayMode || (options.displayModes ?? ['inline']).includes(mode),
  );

  let current: HostContext | undefined;

  const toRoom = (): NonNullable<HostContext['containerDimensions']> | undefined => {
    // The embedder's measures are those of its inline place.
    const own = displayMode === 'inline' ? embedder.containerDimensions : undefined;
    const room = own ?? page.containerDimensions;
    // Unbounded on both axes is told by leaving the field out (HOST-042).
    return room && Object.keys(room).length > 0 ? room : undefined;
  };

  const build = (): HostContext =>
    toSafeHostContext({
      ...known,
      ...page,
      ...embedder,
      ...family,
      // Who gives variables of its own still has the page's fonts, and the other way round.
      styles: { ...page.styles, ...embedder.styles },
      toolInfo: options.tool && { ...embedder.toolInfo, tool: options.tool },
      displayMode,
      availableDisplayModes: [...offered],
      containerDimensions: toRoom(),
    });

  return {
    // Asked for with every size report of an app, so it is built once per change.
    current: () => (current ??= build()),
    learnLanguage() {
      const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
      known = { locale, timeZone };
      current = undefined;
    },
    patch(patch) {
      embedder = { ...embedder, ...toSafeHostContext(patch) };
      current = undefined;
    },
    patchSurface(patch) {
      page = { ...page, ...toSafeHostContext(patch) };
      current = undefined;
    },
    setFamily(values) {
      family = values;
      current = undefined;
    },
    get displayMode() {
      return displayMode;
    },
    offered,
    setDisplayMode(mode) {
      displayMode = mode;
      const dimensions = surface.setDisplayMode(mode);
      if (dimensions) page = { ...page, containerDimensions: dimensions };
      current = undefined;
    },
  };
};

const knownVariables = new Set<string>(styleVariableNames);
const platforms = ['web', 'desktop', 'mobile'] as const;

type Loose = Readonly<Record<string, unknown>>;

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const size = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

// Keys with the value undefined would still be keys to `in` and to strict validators.
const compact = <T extends object>(value: T): T | undefined => {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  // The entries are those of T without the absent ones, all of which are optional in every caller.
  return entries.length > 0 ? (Object.fromEntries(entries) as T) : undefined;
};

/**
 * The context as an app may get it. Official views refuse to connect on a single field they do not know the value of
 * (a theme "system", a variable outside the standard 76, a tool without inputSchema, a null size), so whatever an
 * embedder put in a known field is kept only in its exact form; unknown fields pass.
 */
const toSafeHostContext = (context: HostContext): HostContext => {
  // Embedders write plain JavaScript too: the declared type is a promise, not a fact.
  const given = context as Loose;
  const known = {
    toolInfo: toToolInfo(given.toolInfo),
    theme: oneOf(['light', 'dark'], given.theme),
    styles: toStyles(given.styles),
    displayMode: oneOf(displayModes, given.displayMode),
    availableDisplayModes: Array.isArray(given.availableDisplayModes)
      ? displayModes.filter((mode) => (given.availableDisplayModes as unknown[]).includes(mode)) // checked by isArray
      : undefined,
    containerDimensions: toContainerDimensions(given.containerDimensions),
    locale: text(given.locale),
    timeZone: text(given.timeZone),
    userAgent: text(given.userAgent),
    platform: oneOf(platforms, given.platform),
    deviceCapabilities: toDeviceCapabilities(given.deviceCapabilities),
    safeAreaInsets: toInsets(given.safeAreaInsets),
  };
  // Each known field now has its declared type, and unknown ones are allowed by the schema's rest.
  return (compact({ ...given, ...known }) ?? {}) as HostContext;
};

/** Per axis the fixed value or the maximum, never both and never null (HOST-042). */
const toContainerDimensions = (
  value: unknown,
): NonNullable<HostContext['containerDimensions']> | undefined => {
  if (!isRecord(value)) return undefined;
  const width = size(value.width);
  const height = size(value.height);
  // Said and empty: unbounded on both axes, which is not the same as not said.
  if (Object.keys(value).length === 0) return {};
  // compact() leaves exactly the keys that have a value.
  return compact({
    width,
    maxWidth: width === undefined ? size(value.maxWidth) : undefined,
    height,
    maxHeight: height === undefined ? size(value.maxHeight) : undefined,
  }) as NonNullable<HostContext['containerDimensions']> | undefined;
};

const toToolInfo = (value: unknown): HostContext['toolInfo'] => {
  if (!isRecord(value) || !isRecord(value.tool)) return undefined;
  const { tool, id } = value;
  if (typeof tool.name !== 'string' || !isRecord(tool.inputSchema)) return undefined;
  const isId = typeof id === 'string' || typeof id === 'number';
  // Name and inputSchema were just checked; the rest of a tool is optional.
  return { ...(isId ? { id } : {}), tool: tool as unknown as Tool } as HostContext['toolInfo'];
};

const toStyles = (value: unknown): HostContext['styles'] => {
  if (!isRecord(value)) return undefined;
  const given = isRecord(value.variables) ? value.variables : {};
  const variables = Object.fromEntries(
    Object.entries(given).filter(([name, entry]) => knownVariables.has(name) && text(entry) !== undefined),
  );
  const fonts = isRecord(value.css) ? toFonts(value.css.fonts) : undefined;
  // Only known names with string values are left.
  return compact({
    variables: Object.keys(variables).length > 0 ? variables : undefined,
    css: fonts === undefined ? undefined : { fonts },
  }) as HostContext['styles'];
};

const toFonts = (value: unknown): string | undefined => {
  const fonts = text(value);
  return fonts !== undefined && fonts.length <= maxFonts ? fonts : undefined;
};

const toDeviceCapabilities = (value: unknown): HostContext['deviceCapabilities'] => {
  if (!isRecord(value)) return undefined;
  const flag = (field: unknown): boolean | undefined => (typeof field === 'boolean' ? field : undefined);
  return compact({ touch: flag(value.touch), hover: flag(value.hover) });
};

const toInsets = (value: unknown): HostContext['safeAreaInsets'] => {
  if (!isRecord(value)) return undefined;
  const [top, right, bottom, left] = [value.top, value.right, value.bottom, value.left].map(size);
  if (top === undefined || right === undefined || bottom === undefined || left === undefined)
    return undefined;
  return { top, right, bottom, left };
};

/** The fields of `next` that differ from `previous`, whole; views merge shallowly, so nested objects go complete. */
export const diffHostContext = (previous: HostContext, next: HostContext): HostContext | undefined => {
  // Reading by key only; both are plain objects.
  const before = previous as Loose;
  const changed = Object.entries(next).filter(([key, value]) => !isSame(before[key], value));
  return changed.length > 0 ? (Object.fromEntries(changed) as HostContext) : undefined;
};

const isSame = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
};
