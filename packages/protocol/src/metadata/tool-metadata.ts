import { toPrintable } from '../printable.js';
import type { AppFamily, MetadataFinding } from './metadata.js';
import { readLink, type Spelling, type ToolLink } from './tool-link.js';
import { hidden, readVisibility, type ToolVisibility } from './tool-visibility.js';
import { toTypeFinding } from './type-finding.js';
import { findUriFault, toUriFix } from './uri-fault.js';

/** What a tool says about its UI. */
export interface ToolUi extends ToolLink {
  visibility: ToolVisibility;
  findings: MetadataFinding[];
}

/** Reads the UI link and visibility of a tool in every known spelling, and what is odd about them; never throws. Of two families MCP Apps wins unless another is preferred. */
export const readToolUi = (tool: unknown, prefer: AppFamily = 'mcp-apps'): ToolUi => {
  try {
    return readUnguarded(tool, prefer);
  } catch {
    // A getter or proxy in the metadata: no UI, and hidden, as nothing is known about it.
    return {
      family: null,
      source: null,
      visibility: { ...hidden },
      findings: [toTypeFinding('_meta', 'readable')],
    };
  }
};

const readUnguarded = (tool: unknown, prefer: AppFamily): ToolUi => {
  const findings: MetadataFinding[] = [];
  const onWrongType = (path: string, expected: string): void => {
    findings.push(toTypeFinding(path, expected));
  };
  const link = readLink(tool, prefer, {
    onWrongType,
    onBadUri: (spelling) => void findings.push(toUriFinding(spelling)),
    onLink: (used, usable) => void findings.push(...toSpellingFindings(used, usable)),
  });
  return { ...link, visibility: readVisibility(tool, link.family, onWrongType), findings };
};

const toUriFinding = ({ path, value }: Spelling): MetadataFinding => ({
  code: 'resource-uri',
  message: `${path} is refused because ${findUriFault(value)}: ${toShown(value)}`,
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
