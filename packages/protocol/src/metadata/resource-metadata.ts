import { isRecord, readOwn } from '../is-record.js';
import { readMetaBags, type MetadataBag, type MetadataFinding } from './metadata.js';
import { toPrintable } from '../printable.js';
import { toTypeFinding } from './type-finding.js';

/** The features an app may ask for. */
export const appPermissions = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
export type AppPermission = (typeof appPermissions)[number];

/** The declared domains as they came; the sandbox package parses them. */
export interface DeclaredCsp {
  connectDomains?: unknown;
  resourceDomains?: unknown;
  frameDomains?: unknown;
  baseUriDomains?: unknown;
}

/** Where a field was read. */
type Provenance = 'content' | 'listing' | 'none';

/** What a resource says about how to show it. */
export interface ResourceUi {
  csp?: DeclaredCsp;
  permissions: AppPermission[];
  domain?: string;
  prefersBorder?: boolean;
  provenance: Record<Field, Provenance>;
  findings: MetadataFinding[];
}

type Field = 'csp' | 'permissions' | 'domain' | 'prefersBorder';

interface FieldValue {
  readonly path: string;
  readonly value: unknown;
}

const cspKeys: readonly (keyof DeclaredCsp)[] = [
  'connectDomains',
  'resourceDomains',
  'frameDomains',
  'baseUriDomains',
];

/** The other family's spelling of the same four keys. */
const openaiCspKeys: ReadonlyMap<string, keyof DeclaredCsp> = new Map<string, keyof DeclaredCsp>([
  ['connect_domains', 'connectDomains'],
  ['resource_domains', 'resourceDomains'],
  ['frame_domains', 'frameDomains'],
  ['base_uri_domains', 'baseUriDomains'],
]);

// Where that family's links may lead and come back from: no part of a policy.
const openaiRedirects = 'redirect_domains';

const openaiKeys: Record<Field, string | undefined> = {
  csp: 'openai/widgetCSP',
  permissions: undefined,
  domain: 'openai/widgetDomain',
  prefersBorder: 'openai/widgetPrefersBorder',
};

const fitsField: Record<Field, { readonly expected: string; fits(value: unknown): boolean }> = {
  csp: { expected: 'an object', fits: isRecord },
  permissions: { expected: 'an object', fits: isRecord },
  domain: { expected: 'a string', fits: (value) => typeof value === 'string' && value.length <= 253 },
  prefersBorder: { expected: 'a boolean', fits: (value) => typeof value === 'boolean' },
};

/** Reads a resource's UI metadata per field, content item before listing (HOST-015); never throws. */
export const readResourceUi = (places: {
  content: unknown;
  listing?: unknown;
  tool?: unknown;
}): ResourceUi => {
  try {
    return readUnguarded(places);
  } catch {
    // A getter or proxy in the metadata: as if nothing had been declared.
    return {
      permissions: [],
      provenance: { csp: 'none', permissions: 'none', domain: 'none', prefersBorder: 'none' },
      findings: [toTypeFinding('_meta', 'readable')],
    };
  }
};

const readUnguarded = (places: { content: unknown; listing?: unknown; tool?: unknown }): ResourceUi => {
  const findings: MetadataFinding[] = [];
  const contentBags = readUiBags(places.content, 'content.', findings);
  const listingBags = readUiBags(places.listing, 'listing.', findings);
  const provenance: Record<Field, Provenance> = {
    csp: 'none',
    permissions: 'none',
    domain: 'none',
    prefersBorder: 'none',
  };
  const read = (field: Field): FieldValue | undefined => {
    const found = readField(contentBags, field, findings);
    const listed = readField(listingBags, field, findings);
    provenance[field] = found ? 'content' : listed ? 'listing' : 'none';
    if (found && listed && toComparable(found.value) !== toComparable(listed.value)) {
      findings.push({
        code: 'metadata-conflict',
        message: `${found.path} is used; ${listed.path} says something else.`,
        fix: 'Say the same in both places or only in the content item.',
        path: listed.path,
      });
    }
    return found ?? listed;
  };
  const csp = read('csp');
  const permissions = read('permissions');
  const domain = read('domain')?.value;
  const prefersBorder = read('prefersBorder')?.value;
  findings.push(...toToolFindings(places.tool));
  return {
    ...(csp && { csp: toDeclaredCsp(csp, findings) }),
    permissions: permissions ? toPermissions(permissions, findings) : [],
    ...(typeof domain === 'string' && { domain }),
    ...(typeof prefersBorder === 'boolean' && { prefersBorder }),
    provenance,
    findings,
  };
};

const readUiBags = (owner: unknown, label: string, findings: MetadataFinding[]): MetadataBag[] => {
  const addType = (path: string, expected: string): void => {
    findings.push(toTypeFinding(path, expected));
  };
  const bags = readMetaBags(owner, addType, label);
  for (const { path, values } of bags) {
    const ui = readOwn(values, 'ui');
    if (ui !== undefined && !isRecord(ui)) addType(`${path}.ui`, 'an object');
  }
  return bags;
};

const readField = (
  bags: readonly MetadataBag[],
  field: Field,
  findings: MetadataFinding[],
): FieldValue | undefined => {
  const other = openaiKeys[field];
  const candidates = bags.flatMap(({ path, values }): FieldValue[] => [
    { path: `${path}.ui.${field}`, value: readOwn(readOwn(values, 'ui'), field) },
    ...(other === undefined ? [] : [{ path: `${path}["${other}"]`, value: readOwn(values, other) }]),
  ]);
  const { expected, fits } = fitsField[field];
  for (const candidate of candidates) {
    if (candidate.value === undefined) continue;
    if (fits(candidate.value)) return candidate;
    findings.push(toTypeFinding(candidate.path, expected));
  }
  return undefined;
};

const toDeclaredCsp = ({ path, value }: FieldValue, findings: MetadataFinding[]): DeclaredCsp => {
  const declared: DeclaredCsp = {};
  for (const key of Object.keys(isRecord(value) ? value : {}).slice(0, 50)) {
    const known = cspKeys.find((name) => name === key) ?? openaiCspKeys.get(key);
    if (known) declared[known] = readOwn(value, key);
    else if (key === openaiRedirects) continue;
    else findings.push(toUnknownKeyFinding(path, key));
  }
  return declared;
};

const toPermissions = ({ path, value }: FieldValue, findings: MetadataFinding[]): AppPermission[] => {
  for (const key of Object.keys(isRecord(value) ? value : {}).slice(0, 50)) {
    if (!appPermissions.some((name) => name === key)) findings.push(toUnknownKeyFinding(path, key));
  }
  return appPermissions.filter((name) => {
    const asked = readOwn(value, name);
    return asked === true || isRecord(asked);
  });
};

const toUnknownKeyFinding = (path: string, key: string): MetadataFinding => ({
  code: 'metadata-unknown-key',
  message: `${path} has the unknown key ${toPrintable(key)}, which is ignored.`,
  fix: 'Remove it or correct its spelling.',
  path,
});

/** The spec has no UI policy on tools; servers that put it there get told, not obeyed. */
const toToolFindings = (tool: unknown): MetadataFinding[] => {
  const bags = readMetaBags(tool, undefined, 'tool.');
  return (['csp', 'permissions', 'domain', 'prefersBorder'] as const).flatMap((field) => {
    const misplaced = readField(bags, field, []);
    if (!misplaced) return [];
    return [
      {
        code: 'metadata-on-tool',
        message: `${misplaced.path} has no effect on a tool.`,
        fix: `Move ${field} to _meta.ui of the resource.`,
        path: misplaced.path,
      },
    ];
  });
};

const toComparable = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return 'unreadable';
  }
};
