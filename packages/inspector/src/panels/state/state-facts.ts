import type { AppSnapshot } from '@casement/host';
import type { HostContext } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import { toBoundedJson } from '../../parts/bounded-json.js';

/** A name and what is said about it, both plain text. */
export type TextFact = readonly [name: string, value: string];

/** More than is ever shown of one fact; an app may say megabytes of itself. */
const maxParts = 400;

const toCompact = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxParts * 4) : toBoundedJson(value, maxParts).text;

/** Names and values without the signs of JSON, for objects that are mostly names. */
const toWords = (value: unknown, depth = 0): string => {
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.slice(0, maxParts).map(toCompact).join(' ');
  if (!isRecord(value) || depth > 3) return toCompact(value);
  const words = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .slice(0, depth === 0 ? maxParts : 20)
    .map(([name, inner]) => {
      if (isEmpty(inner) || inner === true) return name;
      return isRecord(inner)
        ? `${name} (${toWords(inner, depth + 1)})`
        : `${name}: ${toWords(inner, depth + 1)}`;
    });
  return words.join(', ');
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
          isEmpty(value) || value === true ? 'yes' : toPrintable(toWords(value), 400),
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
  return Array.isArray(value) ? value.map(toCompact).join(', ') : toWords(value);
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

const siteTexts = {
  page: 'the page’s: this browser keeps origins of one site apart, in processes and, with credentialless frames, in storage',
  other:
    'another than the page’s: this browser has no credentialless frames and keeps only sites apart, so a busy app would hold the page and its cookies would be the page’s',
} as const;

/** Why the app lives where it does, in a sandbox that has two sites. */
export const toSiteText = (site: keyof typeof siteTexts): string => siteTexts[site];

const storageTexts: Record<NonNullable<AppSnapshot['storage']>['inForce'], string> = {
  page: 'page: as long as this page; cookies of the app reach nobody else (credentialless frame)',
  persistent: 'persistent: it lasts from visit to visit',
  none: 'none: the app’s origin may store nothing',
};

/** Where the app stores, and whether that is what was asked for. */
export const toStorageText = ({ wanted, inForce }: NonNullable<AppSnapshot['storage']>): string =>
  storageTexts[inForce] + (wanted === inForce ? '' : `; ${wanted} was asked for`);

/** The size the app asked for, as far as the host follows it: an axis the app does not decide is the page's. */
export const toSizeText = ({ size, displayMode }: Pick<AppSnapshot, 'size' | 'displayMode'>): string => {
  if (displayMode !== 'inline') return `the page’s: what the app asks for is not followed in ${displayMode}`;
  if (!size) return 'the page’s: the app has not asked for one by ui/notifications/size-changed';
  const width = size.width === undefined ? 'width of the page' : `width ${size.width} px as asked`;
  const height = size.height === undefined ? 'height of the page' : `height ${size.height} px as asked`;
  return `${height}, ${width}`;
};
