import type { MetadataFinding } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import { findNearest } from '@casement/protocol/resource';
import type { ServerFacts } from './doctor-facts.js';
import type { DoctorFinding, DoctorStage } from './report.js';

/** The stage that a finding of the host belongs to, by the beginning of its code. */
const stages: readonly (readonly [code: RegExp, stage: DoctorStage])[] = [
  [/^(?:resource-uri|spelling-|two-families$|meta-key$)/, 'found'],
  [/^(?:metadata-|legacy-mime$|uri-mismatch$|several-items$|text-and-blob$|html-is-url$|resource-)/, 'read'],
  [/^(?:domain-dropped$|sandbox-|storage-)/, 'framed'],
  [/^(?:script-error$|asset-blocked$|eval-blocked$|page-silent$)/, 'loaded'],
  [/^(?:dialect$|unsupported-version$|app-not-responding$|invalid-)/, 'handshake'],
  [/^size-loop$/, 'painted'],
];

const notes: ReadonlySet<string> = new Set([
  'two-families',
  'dialect',
  'legacy-mime',
  'storage-lasts',
  'sandbox-release',
  'tool-unannotated',
]);

const errors: ReadonlySet<string> = new Set(['script-error', 'asset-blocked', 'html-is-url', 'resource-uri']);

/** What the host knows only from the app's own page, which can make it up. */
const fromApp: ReadonlySet<string> = new Set([
  'script-error',
  'asset-blocked',
  'page-silent',
  'storage-blocked',
]);

const toSeverity = (code: string): DoctorFinding['severity'] => {
  if (errors.has(code)) return 'error';
  return notes.has(code) || code.startsWith('spelling-') ? 'note' : 'warning';
};

const readName = (tool: unknown): string[] =>
  isRecord(tool) && typeof tool.name === 'string' ? [tool.name] : [];

/** For a call of a tool that is not there: the name that was probably meant. */
const toNearestTool = ({ code, message }: MetadataFinding, server: ServerFacts | undefined): string => {
  if (code !== 'tool-not-found' || !server?.tools) return '';
  const asked = /"([^"]{1,200})"/.exec(message)?.[1];
  const nearest = asked === undefined ? [] : findNearest(asked, server.tools.flatMap(readName));
  return nearest.length === 0
    ? ''
    : ` Did you mean ${nearest.map((name) => `"${toPrintable(name, 80)}"`).join(' or ')}?`;
};

/** A finding of the host in the doctor's words: its own, with the stage it belongs to. */
export const toHostFinding = (finding: MetadataFinding, server?: ServerFacts): DoctorFinding => {
  const { code, message, fix, path } = finding;
  return {
    code,
    stage: stages.find(([pattern]) => pattern.test(code))?.[1] ?? 'fed',
    severity: toSeverity(code),
    witness: fromApp.has(code) ? 'app' : 'host',
    message,
    fix: fix + toNearestTool(finding, server),
    path,
  };
};
