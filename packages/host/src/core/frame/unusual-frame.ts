import type { DeclaredCsp, MetadataFinding } from '@casement/protocol';
import { createSandboxPolicy } from '@casement/sandbox';
import type { DroppedDomain, SandboxPolicy } from '@casement/sandbox';
import { toPrintable } from '../loaded/loaded.js';

export { toStorageIdentity } from './app-storage.js';
export { toOpaqueBase, toOpaquePlace } from './opaque-place.js';

/*
 * For the frames that need more than a plain one: what judges the domains an app declares, what keeps the apps of
 * different users apart, and the sandboxes without an origin for each app.
 */

/** The policy of an app that declares domains, and what its author should write otherwise. */
export const createDeclaredPolicy = (
  wanted: Parameters<typeof createSandboxPolicy>[0],
): { policy: SandboxPolicy; dropped: DroppedDomain[]; findings: MetadataFinding[] } => {
  const { policy, dropped } = createSandboxPolicy(wanted);
  const accepts = (field: keyof DeclaredCsp, origin: string): boolean =>
    createSandboxPolicy({ ...wanted, csp: { [field]: [origin] } }).dropped.length === 0;
  return { policy, dropped, findings: dropped.map((entry) => toDroppedFinding(entry, accepts)) };
};

/** A declared domain that is not in force, with the spelling that would be, if there is one. */
const toDroppedFinding = (
  { field, value, reason }: DroppedDomain,
  accepts: (field: DroppedDomain['field'], origin: string) => boolean,
): MetadataFinding => {
  const corrected = toCandidates(value).find((origin) => accepts(field, origin));
  return {
    code: 'domain-dropped',
    message: `${toPrintable(value)} ${reason}. It is not in force.`,
    fix: corrected ? `Write "${corrected}".` : 'Remove it, or name an origin others can reach over https.',
    path: `_meta.ui.csp.${field}`,
  };
};

/** Spellings the author may have meant: with a scheme, encrypted, without a path. */
const toCandidates = (value: string): string[] => {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const secured = full.replace(/^http:/i, 'https:').replace(/^ws:/i, 'wss:');
  // An origin ends where the path begins; * in a host survives, which URL would encode.
  const [origin] = /^[a-z]+:\/\/[^/?#]+/i.exec(secured) ?? [];
  return origin === undefined ? [] : [origin];
};
