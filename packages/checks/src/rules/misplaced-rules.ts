import { toPrintable } from '@casement/protocol/basics';
import { appPermissions, findNearest, readToolUi } from '@casement/protocol/resource';
import { isRecord } from '@casement/protocol/start';
import type { DoctorFinding } from '../doctor/report.js';

/*
 * What stands on the wrong object or on the wrong level, where no host looks. What the readers of metadata see anyway is
 * found there: a policy in _meta.ui of a tool, meta instead of _meta, older keys, values of the wrong type.
 */

const maxKeys = 50;

const toolKeys = ['resourceUri', 'visibility'] as const;
const resourceKeys = ['csp', 'permissions', 'domain', 'prefersBorder'] as const;
const cspKeys = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

const hasSome = (value: unknown, names: readonly string[]): boolean =>
  isRecord(value) && names.some((name) => Object.hasOwn(value, name));

const isListOf = (value: unknown, names?: readonly string[]): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.slice(0, maxKeys).every((one) => typeof one === 'string' && (names?.includes(one) ?? true));

/** Whether a value can be nothing else than what an app's metadata holds: other extensions use the same plain words. */
const looksLike: Readonly<Record<string, (value: unknown) => boolean>> = {
  resourceUri: (value) => typeof value === 'string' && /^ui:/i.test(value),
  visibility: (value) => isListOf(value, ['model', 'app']),
  csp: (value) => hasSome(value, cspKeys),
  permissions: (value) => hasSome(value, appPermissions),
  domain: () => false,
  prefersBorder: (value) => typeof value === 'boolean',
  ...Object.fromEntries(cspKeys.map((key) => [key, (value: unknown) => isListOf(value)])),
};

/** Spellings of other libraries and languages for the key that links an app. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ['resource_uri', 'resourceUri'],
  ['resourceURI', 'resourceUri'],
  ['resourceURL', 'resourceUri'],
  ['resourceUrl', 'resourceUri'],
  ['uri', 'resourceUri'],
  ['url', 'resourceUri'],
  ['resource', 'resourceUri'],
]);

/** A value as it may be copied: short lists and plain values whole, the rest only hinted at. */
const toValue = (value: unknown): string => {
  if (typeof value === 'string') return `"${toPrintable(value, 120)}"`;
  if (typeof value === 'boolean') return String(value);
  if (!isListOf(value) || !Array.isArray(value) || value.length > 6)
    return Array.isArray(value) ? '[ … ]' : '{ … }';
  return `[${value.map((one) => `"${toPrintable(one, 120)}"`).join(', ')}]`;
};

interface Misplaced {
  readonly path: string;
  readonly wanted: string;
  readonly owner: string;
  readonly line: string;
  readonly isGrave: boolean;
  readonly stage: DoctorFinding['stage'];
}

const toFinding = ({ path, wanted, owner, line, isGrave, stage }: Misplaced): DoctorFinding => ({
  code: 'metadata-misplaced',
  stage,
  severity: isGrave ? 'error' : 'warning',
  witness: 'host',
  message: `${path} has no effect: hosts read ${wanted}.`,
  fix: `Move it: ${line} on the ${owner}.`,
  path,
});

/** Where a key of the metadata was put instead of `_meta.ui`: on the object itself, in `_meta`, or in `ui` beside `_meta`. */
const readPlaces = (owner: Record<string, unknown>, key: string): [path: string, value: unknown][] => {
  const meta = isRecord(owner._meta) ? owner._meta : {};
  const ui = isRecord(owner.ui) ? owner.ui : {};
  const places: [string, unknown][] = [
    [`ui.${key}`, ui[key]],
    [key, owner[key]],
    [`_meta.${key}`, meta[key]],
  ];
  return places.filter(([, value]) => looksLike[key]?.(value));
};

const findMisspelt = (ui: Record<string, unknown>, isLinked: boolean): DoctorFinding[] => {
  const known: readonly string[] = [...toolKeys, ...resourceKeys];
  const unknown = Object.keys(ui)
    .slice(0, maxKeys)
    .filter((key) => !known.includes(key));
  return unknown.flatMap((key): DoctorFinding[] => {
    const meant = otherSpellings.get(key) ?? findNearest(key, known)[0];
    if (meant === undefined || ui[meant] !== undefined) return [];
    const isGrave = meant === 'resourceUri' && !isLinked;
    return [
      {
        code: 'metadata-misspelt',
        stage: 'found',
        severity: isGrave ? 'error' : 'warning',
        witness: 'host',
        message: `_meta.ui.${toPrintable(key, 60)} has no effect: no host knows that key.`,
        fix: `Did you mean ${meant}? Write "_meta": { "ui": { "${meant}": ${toValue(ui[key])} } }.`,
        path: `_meta.ui.${toPrintable(key, 60)}`,
      },
    ];
  });
};

/** Metadata of a tool that stands where nobody reads it. */
export const findMisplacedInTool = (tool: unknown): DoctorFinding[] => {
  if (!isRecord(tool)) return [];
  const isLinked = readToolUi(tool).resourceUri !== undefined;
  const meta = isRecord(tool._meta) ? tool._meta : {};
  const ui = isRecord(meta.ui) ? meta.ui : {};
  const own = toolKeys.flatMap((key) =>
    readPlaces(tool, key).map(([path, value]) =>
      toFinding({
        path,
        wanted: `_meta.ui.${key}`,
        owner: 'tool',
        line: `"_meta": { "ui": { "${key}": ${toValue(value)} } }`,
        isGrave: key === 'resourceUri' && !isLinked,
        stage: 'found',
      }),
    ),
  );
  const policy = resourceKeys.flatMap((key) =>
    // In _meta.ui of the tool it is found by who reads the resource.
    readPlaces(tool, key).map(([path, value]) =>
      toFinding({
        path: `${path} of the tool`,
        wanted: `_meta.ui.${key} of the resource`,
        owner: 'resource',
        line: `"_meta": { "ui": { "${key}": ${toValue(value)} } }`,
        isGrave: false,
        stage: 'read',
      }),
    ),
  );
  return [...own, ...policy, ...findMisspelt(ui, isLinked)];
};

/** Metadata of a resource, in a listing or in what was read, that stands where nobody reads it. */
export const findMisplacedInResource = (resource: unknown): DoctorFinding[] => {
  if (!isRecord(resource)) return [];
  const meta = isRecord(resource._meta) ? resource._meta : {};
  const ui = isRecord(meta.ui) ? meta.ui : {};
  const stage = 'read';
  const owner = 'resource';
  const own = resourceKeys.flatMap((key) =>
    readPlaces(resource, key).map(([path, value]) =>
      toFinding({
        path,
        wanted: `_meta.ui.${key}`,
        owner,
        line: `"_meta": { "ui": { "${key}": ${toValue(value)} } }`,
        isGrave: key === 'csp',
        stage,
      }),
    ),
  );
  const domains = cspKeys.flatMap((key) => {
    const inUi: [string, unknown][] = isListOf(ui[key]) ? [[`_meta.ui.${key}`, ui[key]]] : [];
    return [...inUi, ...readPlaces(resource, key)].map(([path, value]) =>
      toFinding({
        path,
        wanted: `_meta.ui.csp.${key}`,
        owner,
        line: `"_meta": { "ui": { "csp": { "${key}": ${toValue(value)} } } }`,
        isGrave: true,
        stage,
      }),
    );
  });
  return [...own, ...domains];
};
