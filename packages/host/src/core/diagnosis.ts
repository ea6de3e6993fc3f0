import type { MetadataFinding, Tool } from '@casement/protocol';
import { readToolUi } from '@casement/protocol';
import { readResourceUi } from '@casement/protocol/resource';
import type { DroppedDomain } from '@casement/sandbox';
import type { AppViolation } from './app-snapshot.js';

/** What a session can say about a mistake that shows only while the app runs; loaded with the frame plan. */
export interface Diagnosis {
  /** The reason an app probably never connected, when its policy blocked something. */
  explainSilence(violations: readonly AppViolation[]): string | undefined;
  readonly sizeLoop: MetadataFinding;
}

/** The words for mistakes that show only while the app runs. */
export const diagnosis: Diagnosis = {
  explainSilence(violations) {
    const blocked = findCulprit(violations);
    if (!blocked) return undefined;
    if (isEval(blocked)) {
      return 'The policy blocked eval or new Function before the app connected, and no metadata allows them. Build the app without: use a schema or template library that does not compile code at run time, and no source maps made with eval.';
    }
    const { blockedUri, directive } = blocked;
    return `The policy blocked ${toShort(blockedUri)} (${toShort(directive)}) before the app connected. Put it into the HTML itself, or declare its origin in _meta.ui.csp of the resource.`;
  },
  sizeLoop: {
    code: 'size-loop',
    message:
      'The height the app reports follows from the height it is given, so the two chase each other. The host stopped following.',
    fix: 'Report the height of the content, not of the window: no 100vh or height: 100% on html, body or the root element, and no margin added to what is measured.',
    path: 'ui/notifications/size-changed',
  },
};

// What stops a script tells more than a picture that is missing.
const findCulprit = (violations: readonly AppViolation[]): AppViolation | undefined =>
  violations.find(isEval) ??
  violations.find(({ directive }) => directive.startsWith('script-src')) ??
  violations[0];

const isEval = ({ blockedUri }: AppViolation): boolean => /^(?:wasm-)?eval$/.test(blockedUri);

// Guest text goes into a sentence: short, and nothing that is not plain.
const toShort = (text: string): string => text.slice(0, 200).replace(/[^\x21-\x7e]/g, '?');

/** What is odd about the tool itself: how it links its UI, and what it declares that belongs on the resource. */
export const toToolFindings = (tool: Tool): MetadataFinding[] => [
  ...readToolUi(tool).findings,
  ...readResourceUi({ content: {}, tool }).findings,
];

/** A declared domain that is not in force, with the spelling that would be, if there is one. */
export const toDroppedFinding = (
  { field, value, reason }: DroppedDomain,
  accepts: (field: DroppedDomain['field'], origin: string) => boolean,
): MetadataFinding => {
  const corrected = toCandidates(value).find((origin) => accepts(field, origin));
  return {
    code: 'domain-dropped',
    message: `${value} ${reason}. It is not in force.`,
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
