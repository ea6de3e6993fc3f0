import { toPrintable } from '@casement/protocol/basics';
import { findNearest, readToolUi } from '@casement/protocol/resource';
import { isRecord } from '@casement/protocol/start';
import type { DoctorFinding } from '../doctor/report.js';
import { findAnnotationFaults } from './annotation-rules.js';
import { findMisplacedInResource, findMisplacedInTool } from './misplaced-rules.js';
import { findVisibilityFaults } from './visibility-rules.js';

/** What a server lists. */
export interface ListedByServer {
  readonly tools: readonly unknown[];
  readonly resources?: readonly unknown[];
  /** Addresses with parts to fill in, as resources/templates/list gives them. */
  readonly templates?: readonly unknown[];
}

/** Nobody reads the findings of more tools than this. */
const maxLinted = 500;

const readText = (value: unknown, key: string): string | undefined => {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** An address that nothing in the lists has, while one of them has nearly the same: a slip of the pen. */
const findNearAddress = (
  tool: unknown,
  { resources = [], templates = [] }: ListedByServer,
): DoctorFinding[] => {
  const { resourceUri } = readToolUi(tool);
  if (resourceUri === undefined) return [];
  const listed = resources.slice(0, 20_000).flatMap((one) => readText(one, 'uri') ?? []);
  if (listed.includes(resourceUri)) return [];
  // Whatever a template may stand for is not missing.
  const starts = templates.flatMap((one) => readText(one, 'uriTemplate')?.split('{', 1) ?? []);
  if (starts.some((start) => start !== '' && resourceUri.startsWith(start))) return [];
  const nearest = findNearest(
    resourceUri,
    listed.filter((uri) => uri.startsWith('ui://')),
  );
  if (nearest.length === 0) return [];
  return [
    {
      code: 'address-unlisted',
      stage: 'found',
      severity: 'warning',
      witness: 'host',
      message: `The tool names ${toPrintable(resourceUri, 200)}, which the server does not list.`,
      fix: `Did you mean ${nearest.map((uri) => toPrintable(uri, 200)).join(' or ')}?`,
      path: '_meta.ui.resourceUri',
    },
  ];
};

/** What is wrong with what a server declares about one tool; never throws. */
export const lintTool = (tool: unknown, listed: ListedByServer = { tools: [] }): DoctorFinding[] => {
  try {
    return [
      ...findMisplacedInTool(tool),
      ...findNearAddress(tool, listed),
      ...findAnnotationFaults(tool),
      ...findVisibilityFaults(tool, listed.tools),
    ];
  } catch {
    // A getter or proxy in the metadata: its readers tell that.
    return [];
  }
};

/** The same finding with the name of what it is about before its path. */
const within = (kind: string, name: string | undefined, finding: DoctorFinding): DoctorFinding => {
  const owner = `${kind} "${toPrintable(name ?? '', 100)}"`;
  return {
    ...finding,
    message: `${owner}: ${finding.message}`,
    path: finding.path === undefined ? owner : `${owner} ${finding.path}`,
  };
};

/** What is wrong with what a server declares about all its tools and resources; never throws. */
export const lintServer = (listed: ListedByServer): DoctorFinding[] => [
  ...listed.tools
    .slice(0, maxLinted)
    .flatMap((tool) =>
      lintTool(tool, listed).map((finding) => within('tool', readText(tool, 'name'), finding)),
    ),
  ...(listed.resources ?? [])
    .slice(0, maxLinted)
    .flatMap((resource) =>
      findMisplacedInResource(resource).map((finding) =>
        within('resource', readText(resource, 'uri'), finding),
      ),
    ),
];
