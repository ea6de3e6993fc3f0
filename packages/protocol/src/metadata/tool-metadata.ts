import { isRecord, readOwn } from '../is-record.js';
import {
  readMetaBags,
  toTypeFinding,
  type AppFamily,
  type MetadataBag,
  type MetadataFinding,
} from './metadata.js';
import { toPrintable } from '../printable.js';
import { findUriFault, toUriFix } from './resource-uri.js';

/** How a tool's link to its UI was spelled. */
type ToolUiSource = 'nested' | 'flat' | 'dotted' | 'annotations' | 'openai';

/** What a tool says about its UI. */
export interface ToolUi {
  resourceUri?: string;
  family: AppFamily | null;
  source: ToolUiSource | null;
  /** The family of the UI that the tool names, if no host reads any of its addresses. */
  broken?: AppFamily;
  visibility: { model: boolean; app: boolean };
  findings: MetadataFinding[];
}

interface Spelling {
  readonly source: ToolUiSource;
  readonly path: string;
  readonly value: unknown;
}

/** Reads the UI link and visibility of a tool in every known spelling; never throws. Of two families MCP Apps wins unless another is preferred. */
export const readToolUi = (tool: unknown, prefer: AppFamily = 'mcp-apps'): ToolUi => {
  try {
    return readUnguarded(tool, prefer);
  } catch {
    // A getter or proxy in the metadata: no UI, and hidden, as nothing is known about it.
    return {
      family: null,
      source: null,
      visibility: { model: false, app: false },
      findings: [toTypeFinding('_meta', 'readable')],
    };
  }
};

const readUnguarded = (tool: unknown, prefer: AppFamily): ToolUi => {
  const findings: MetadataFinding[] = [];
  const bags = readMetaBags(tool, findings);
  const annotations = readOwn(tool, 'annotations');
  const annotated: MetadataBag[] = isRecord(annotations)
    ? [{ path: 'annotations', values: annotations }]
    : [];
  const spellings: Spelling[] = [
    ...bags.flatMap((bag) => toNestedSpellings(bag, 'nested', findings)),
    ...toFlatSpellings(bags, 'ui/resourceUri', 'flat'),
    ...toFlatSpellings(bags, 'ui.resourceUri', 'dotted'),
    ...annotated.flatMap((bag) => toNestedSpellings(bag, 'annotations', findings)),
    ...toFlatSpellings(annotated, 'ui/resourceUri', 'annotations'),
    ...toFlatSpellings(annotated, 'ui.resourceUri', 'annotations'),
    ...toFlatSpellings([...bags, ...annotated], 'openai/outputTemplate', 'openai'),
  ];
  const usable = spellings.filter((spelling) => {
    const fault = findUriFault(spelling.value);
    if (fault !== undefined) findings.push(toUriFinding(spelling, fault));
    return fault === undefined;
  });
  // HOST-019: the list is in order of priority, nested first.
  const link = usable.find(({ source }) => prefer === 'openai' && source === 'openai') ?? usable[0];
  const family = link ? toFamily(link) : null;
  const refused = link ? undefined : spellings[0];
  if (link) findings.push(...toSpellingFindings(link, usable));
  const visibility = readVisibility([...bags, ...annotated], family, findings);
  return {
    // The filter above let only strings through.
    ...(link && { resourceUri: link.value as string }),
    family,
    source: link?.source ?? null,
    ...(refused && { broken: toFamily(refused) }),
    visibility,
    findings,
  };
};

/** The visibility rule: absent means everyone, otherwise only who is listed (HOST-020 … HOST-022). */
export const isToolVisibleTo = (tool: unknown, audience: 'model' | 'app'): boolean =>
  readToolUi(tool).visibility[audience];

const toFamily = ({ source }: Spelling): AppFamily => (source === 'openai' ? 'openai' : 'mcp-apps');

const toNestedSpellings = (
  { path, values }: MetadataBag,
  source: ToolUiSource,
  findings: MetadataFinding[],
): Spelling[] => {
  const ui = readOwn(values, 'ui');
  if (ui === undefined) return [];
  if (!isRecord(ui)) {
    findings.push(toTypeFinding(`${path}.ui`, 'an object'));
    return [];
  }
  const value = readOwn(ui, 'resourceUri');
  return value === undefined ? [] : [{ source, path: `${path}.ui.resourceUri`, value }];
};

const toFlatSpellings = (bags: readonly MetadataBag[], key: string, source: ToolUiSource): Spelling[] =>
  bags.flatMap(({ path, values }) => {
    const value = readOwn(values, key);
    return value === undefined ? [] : [{ source, path: `${path}["${key}"]`, value }];
  });

const toUriFinding = ({ path, value }: Spelling, fault: string): MetadataFinding => ({
  code: 'resource-uri',
  message: `${path} is refused because ${fault}: ${toShown(value)}`,
  fix: toUriFix(value),
  path,
});

/** A value as it stands in the metadata; of an object only that it is one. */
const toShown = (value: unknown): string => {
  if (typeof value === 'string') return `"${toPrintable(value)}"`;
  return value === null || ['number', 'boolean'].includes(typeof value) ? String(value) : toPrintable(value);
};

const toSpellingFindings = (link: Spelling, usable: readonly Spelling[]): MetadataFinding[] => {
  const findings: MetadataFinding[] = [];
  const isNestedToo = usable.some(({ source }) => source === 'nested');
  if (!isNestedToo) {
    findings.push({
      code: `spelling-${link.source}`,
      message: `The UI is linked by ${link.path}, which not every host reads.`,
      fix: 'Set _meta.ui.resourceUri.',
      path: link.path,
    });
  } else if (link.source === 'nested' && link.path.startsWith('meta')) {
    findings.push(toMetaKeyFinding(link.path));
  }
  for (const other of usable) {
    if (other.value === link.value) continue;
    findings.push(
      (other.source === 'openai') === (link.source === 'openai')
        ? {
            code: 'resource-uri-conflict',
            message: `${link.path} is used; ${other.path} names another resource.`,
            fix: 'Give both the same URI.',
            path: other.path,
          }
        : {
            code: 'two-families',
            message: `${link.path} is used; ${other.path} names the UI for hosts of another family.`,
            fix: 'Nothing, if both are kept up; otherwise remove one.',
            path: other.path,
          },
    );
  }
  return findings;
};

const toMetaKeyFinding = (path: string): MetadataFinding => ({
  code: 'meta-key',
  message: `${path} stands under "meta"; the protocol's key is "_meta".`,
  fix: 'Rename meta to _meta.',
  path,
});

const readVisibility = (
  bags: readonly MetadataBag[],
  family: AppFamily | null,
  findings: MetadataFinding[],
): ToolUi['visibility'] => {
  for (const { path, values } of bags) {
    const listed = readOwn(readOwn(values, 'ui'), 'visibility');
    if (listed === undefined) continue;
    // Anything but an array that names the audience hides the tool (B09): a typing slip must not open it.
    if (!Array.isArray(listed)) findings.push(toTypeFinding(`${path}.ui.visibility`, 'an array'));
    const names: readonly unknown[] = Array.isArray(listed) ? listed : [];
    return { model: names.includes('model'), app: names.includes('app') };
  }
  const read = (key: string): unknown =>
    bags.map(({ values }) => readOwn(values, key)).find((value) => value !== undefined);
  const accessible = read('openai/widgetAccessible');
  const audience = read('openai/visibility');
  if (family !== 'mcp-apps' && (family === 'openai' || accessible !== undefined || audience !== undefined)) {
    // In that family an app may call only what says so, the opposite of the MCP Apps default.
    return { model: audience !== 'private', app: accessible === true };
  }
  return { model: true, app: true };
};

/** Whether an app of a family may call a tool: in the OpenAI family silence means no, elsewhere it means yes. */
export const isToolCallableBy = (tool: unknown, caller: AppFamily): boolean => {
  if (!isToolVisibleTo(tool, 'app')) return false;
  if (caller !== 'openai') return true;
  return readMetaBags(tool, []).some(
    ({ values }) =>
      readOwn(readOwn(values, 'ui'), 'visibility') !== undefined ||
      readOwn(values, 'openai/widgetAccessible') === true,
  );
};
