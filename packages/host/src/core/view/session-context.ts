import type { DisplayMode, HostContext } from '@casement/protocol';
import { displayModes } from '@casement/protocol/basics';
import { toSafeHostContext } from './host-context.js';
import type { SessionOptions } from '../session-options.js';
import type { Surface } from '../surface.js';

/** The host context of one session, put together from its three sources. */
export interface SessionContext {
  /** What an app may be told now, sanitised. */
  current(): HostContext;
  patch(patch: HostContext): void;
  patchSurface(patch: HostContext): void;
  /** What the loader of an older family is told besides, in place of what it was told before. */
  setFamily(values: Readonly<Record<string, unknown>>): void;
  readonly displayMode: DisplayMode;
  readonly offered: readonly DisplayMode[];
  setDisplayMode(mode: DisplayMode): void;
}

/** The page knows the room and the theme, the embedder's word wins, and what the session itself decides is last. */
export const createSessionContext = (options: SessionOptions, surface: Surface): SessionContext => {
  const known = readIntl();
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

const readIntl = (): HostContext => {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { locale, timeZone };
};
