// The data of `window.openai` from the host's context; pure, so that it can be read and tested by itself.
import { isObject } from '../../is-object.js';

type Values = Readonly<Record<string, unknown>>;

/** The browser's own knowledge of the device, for a host that does not tell. */
export interface Device {
  readonly hover: boolean;
  readonly touch: boolean;
}

const toDeviceType = (platform: unknown, { hover, touch }: Device): string => {
  if (platform === 'mobile' || platform === 'desktop') return platform;
  if (hover) return 'desktop';
  return touch ? 'mobile' : 'unknown';
};

/** The fields that follow the host's context; null is this family's word for what is not known. */
export const toContextGlobals = (context: Values, device: Device): Values => {
  const room = isObject(context['containerDimensions']) ? context['containerDimensions'] : {};
  const given = isObject(context['deviceCapabilities']) ? context['deviceCapabilities'] : {};
  const insets = isObject(context['safeAreaInsets']) ? context['safeAreaInsets'] : {};
  const { hover = device.hover, touch = device.touch } = given;
  const displayMode = context['displayMode'] ?? 'inline';
  const { top = 0, right = 0, bottom = 0, left = 0 } = insets;
  return {
    theme: context['theme'] ?? 'light',
    locale: context['locale'] ?? 'en-US',
    displayMode,
    maxHeight: room['maxHeight'] ?? room['height'] ?? null,
    safeArea: { insets: { top, right, bottom, left } },
    userAgent: {
      device: { type: toDeviceType(context['platform'], { hover: hover === true, touch: touch === true }) },
      capabilities: { hover, touch },
    },
    view: context['casement/view'] ?? { mode: displayMode },
    widgetState: context['casement/widgetState'] ?? null,
  };
};

/** The entries of `next` that differ from `before`; both came as JSON. */
export const toChanges = (before: Values, next: Values): Values =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
