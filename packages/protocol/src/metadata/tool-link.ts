import { isRecord, readOwn } from '../is-record.js';
import { readMetaBags, type AppFamily, type MetadataBag, type OnWrongType } from './metadata.js';
import { isUiUri } from './resource-uri.js';

/** How a tool's link to its UI was spelled. */
type ToolUiSource = 'nested' | 'flat' | 'dotted' | 'annotations' | 'openai';

/** Where a tool links a UI. */
export interface ToolLink {
  resourceUri?: string;
  family: AppFamily | null;
  source: ToolUiSource | null;
  /** The family of the UI that the tool names, if no host reads any of its addresses. */
  broken?: AppFamily;
}

/** One place where a tool names a UI. */
export interface Spelling {
  readonly source: ToolUiSource;
  readonly path: string;
  readonly value: unknown;
}

/** Hears what is odd about a link; `readToolUi` puts it into sentences. */
export interface LinkNotes {
  readonly onWrongType: OnWrongType;
  onBadUri(spelling: Spelling): void;
  /** The link in use, and all that could have been. */
  onLink(link: Spelling, usable: readonly Spelling[]): void;
}

/** Reads the UI link of a tool in every known spelling; never throws. Of two families MCP Apps wins unless another is preferred. */
export const readToolLink = (tool: unknown, prefer: AppFamily = 'mcp-apps'): ToolLink => {
  try {
    return readLink(tool, prefer);
  } catch {
    // A getter or proxy in the metadata.
    return { family: null, source: null };
  }
};

/** The same, with notes; throws what a getter throws. */
export const readLink = (tool: unknown, prefer: AppFamily, notes?: LinkNotes): ToolLink => {
  const bags = readMetaBags(tool, notes?.onWrongType);
  const annotated = readAnnotations(tool);
  const toNested = (places: readonly MetadataBag[], source: ToolUiSource): Spelling[] =>
    places.flatMap(({ path, values }) => {
      const ui = readOwn(values, 'ui');
      if (ui !== undefined && !isRecord(ui)) notes?.onWrongType(`${path}.ui`, 'an object');
      return toSpelling(source, `${path}.ui.resourceUri`, readOwn(ui, 'resourceUri'));
    });
  const spellings = [
    ...toNested(bags, 'nested'),
    ...toFlat(bags, 'ui/resourceUri', 'flat'),
    ...toFlat(bags, 'ui.resourceUri', 'dotted'),
    ...toNested(annotated, 'annotations'),
    ...toFlat(annotated, 'ui/resourceUri', 'annotations'),
    ...toFlat(annotated, 'ui.resourceUri', 'annotations'),
    ...toFlat([...bags, ...annotated], 'openai/outputTemplate', 'openai'),
  ];
  const usable = spellings.filter((spelling) => {
    const isUsable = isUiUri(spelling.value);
    if (!isUsable) notes?.onBadUri(spelling);
    return isUsable;
  });
  // HOST-019: the list is in order of priority, nested first.
  const link = usable.find(({ source }) => prefer === 'openai' && source === 'openai') ?? usable[0];
  if (!link) {
    const [refused] = spellings;
    return { family: null, source: null, ...(refused && { broken: toFamily(refused) }) };
  }
  notes?.onLink(link, usable);
  // The filter above let only strings through.
  return { resourceUri: link.value as string, family: toFamily(link), source: link.source };
};

/** Where some servers put what belongs into `_meta`. */
export const readAnnotations = (tool: unknown): MetadataBag[] => {
  const values = readOwn(tool, 'annotations');
  return isRecord(values) ? [{ path: 'annotations', values }] : [];
};

const toFamily = ({ source }: Spelling): AppFamily => (source === 'openai' ? source : 'mcp-apps');

const toSpelling = (source: ToolUiSource, path: string, value: unknown): Spelling[] =>
  value === undefined ? [] : [{ source, path, value }];

const toFlat = (bags: readonly MetadataBag[], key: string, source: ToolUiSource): Spelling[] =>
  bags.flatMap(({ path, values }) => toSpelling(source, `${path}["${key}"]`, readOwn(values, key)));
