import type { AppSnapshot } from '@casement/host';
import type { HostContext } from '@casement/protocol';
import { isRecord } from '@casement/protocol';
import { toPrintable } from '../../printable-text.js';

/** A name and what is said about it, both plain text. */
export type TextFact = readonly [name: string, value: string];

const toCompact = (value: unknown): string => {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isRecord(value) && Object.keys(value).length === 0);

/** Capabilities by name; an empty object only says "yes". */
export const toCapabilityFacts = (capabilities: unknown): TextFact[] =>
  isRecord(capabilities)
    ? Object.entries(capabilities)
        .filter(([, value]) => value !== undefined)
        .slice(0, 60)
        .map(([name, value]) => [
          toPrintable(name, 60),
          isEmpty(value) || value === true ? 'yes' : toPrintable(toCompact(value), 300),
        ])
    : [];

const toContextText = (name: keyof HostContext, context: HostContext): string => {
  const { styles, toolInfo } = context;
  if (name === 'styles') {
    const fonts = styles?.css?.fonts === undefined ? '' : ', fonts';
    return `${Object.keys(styles?.variables ?? {}).length} variables${fonts}`;
  }
  if (name === 'toolInfo' && toolInfo)
    return toolInfo.id === undefined ? toolInfo.tool.name : `${toolInfo.tool.name}, call ${toolInfo.id}`;
  const value: unknown = context[name];
  return Array.isArray(value) ? value.map(toCompact).join(', ') : toCompact(value);
};

/** What the app was told about its surroundings; the long parts are counted, not written out. */
export const toContextFacts = (context: HostContext): TextFact[] =>
  // The keys of a context are its field names and whatever else an embedder sends.
  (Object.keys(context) as (keyof HostContext)[])
    .filter((name) => context[name] !== undefined)
    .map((name) => [toPrintable(name, 60), toPrintable(toContextText(name, context), 300)]);

const places = {
  content: 'the content item of resources/read',
  listing: 'resources/list',
  none: 'not declared',
} as const;

/** For each metadata field, the place that decided it. */
export const toProvenanceFacts = (resource: NonNullable<AppSnapshot['resource']>): TextFact[] =>
  (['csp', 'permissions', 'domain', 'prefersBorder'] as const).map((field) => [
    `_meta.ui.${field}`,
    places[resource.provenance[field]],
  ]);

const axis = (value: number | undefined): string => (value === undefined ? 'as the page' : `${value} px`);

/** The size the app asked for, as far as the host follows it. */
export const toSizeText = ({ size, displayMode }: AppSnapshot): string => {
  if (displayMode !== 'inline') return `not followed in ${displayMode}`;
  return size ? `width ${axis(size.width)}, height ${axis(size.height)}` : 'the app has not asked for one';
};
