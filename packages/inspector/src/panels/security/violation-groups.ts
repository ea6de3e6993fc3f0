import type { AppSnapshot } from '@casement/host';
import { isBlockedEval, isEvalError } from '@casement/protocol/reports';
import type { CspReport } from '../../connection/gateway-client.js';
import type { Remedy } from '@casement/checks/policy';
import { toAllowingMetadata } from '@casement/checks/policy';
import { findPolicyList, toDirectiveName } from '@casement/checks/policy';

/** Blocked loads of one directive from one origin. */
export interface ViolationGroup {
  readonly key: string;
  readonly directive: string;
  /** An origin, or the word a browser uses where there is none. */
  readonly blocked: string;
  /** Up to five different addresses. */
  readonly addresses: readonly string[];
  readonly places: readonly string[];
  /** Told by the browser: the app cannot forge or hide these. */
  readonly byBrowser: number;
  /** Told by a listener in the app's own page, where the app could forge or hide them. */
  readonly byListener: number;
  /** The app went on without it. */
  readonly isSurvived: boolean;
  readonly remedy: Remedy;
}

type Blocked = AppSnapshot['violations'][number] | CspReport;

const maxExamples = 5;

const ownOrigin = 'the app’s own origin';

/** The origin of an address; what has none stays as it is. */
const toBlockedOrigin = (uri: string): string =>
  URL.canParse(uri) && new URL(uri).origin !== 'null'
    ? new URL(uri).origin
    : uri.slice(0, 200) || '(no address)';

const toPlace = ({ sourceFile = '', line, column }: Blocked, appOrigin = ''): string | undefined => {
  if (line === undefined || line === 0) return undefined;
  // The app's own origin serves one page, whose address says nothing more.
  const isOwn = sourceFile === '' || (appOrigin !== '' && sourceFile.startsWith(`${appOrigin}/`));
  const file = isOwn ? 'the app’s HTML' : sourceFile;
  return `${file.slice(0, 200)}:${line}${column === undefined ? '' : `:${column}`}`;
};

const addExample = (list: string[], example: string | undefined): void => {
  if (example !== undefined && example !== '' && list.length < maxExamples && !list.includes(example))
    list.push(example);
};

/** The reports that are about the app of this snapshot: its origin is its policy, so no other app has it. */
const toOwnReports = (snapshot: AppSnapshot, reports: readonly CspReport[]): CspReport[] =>
  reports.filter(({ appOrigin }) => appOrigin === snapshot.address?.appOrigin);

/** Everything that was blocked, most frequent first, each with what would allow it. */
export const toViolationGroups = (snapshot: AppSnapshot, reports: readonly CspReport[]): ViolationGroup[] => {
  const within = {
    policy: snapshot.policy?.effective,
    appOrigin: snapshot.address?.appOrigin,
    isOpaque: snapshot.fallback !== undefined,
  };
  const groups = new Map<string, ViolationGroup & { addresses: string[]; places: string[] }>();
  const add = (load: Blocked, witness: 'byBrowser' | 'byListener'): void => {
    const directive = toDirectiveName(load.directive);
    const origin = toBlockedOrigin(load.blockedUri);
    const blocked = origin === within.appOrigin ? ownOrigin : origin;
    const key = `${directive} ${blocked}`;
    const known = groups.get(key);
    const group = known ?? {
      ...{ key, directive, blocked, addresses: [], places: [], byBrowser: 0, byListener: 0 },
      isSurvived: isSurvived(load, snapshot),
      remedy: toAllowingMetadata(load, within),
    };
    addExample(group.addresses, load.blockedUri === blocked ? undefined : load.blockedUri.slice(0, 400));
    addExample(group.places, toPlace(load, within.appOrigin));
    groups.set(key, { ...group, [witness]: group[witness] + 1 });
  };
  for (const load of toOwnReports(snapshot, reports)) add(load, 'byBrowser');
  for (const load of snapshot.violations) add(load, 'byListener');
  return [...groups.values()].sort((a, b) => toCount(b) - toCount(a));
};

/** How often it happened: both witnesses tell of the same loads, so they are not added up. */
export const toCount = ({ byBrowser, byListener }: ViolationGroup): number => Math.max(byBrowser, byListener);

/** The origins that were blocked because a list did not name them, and how often. */
export const toObserved = (
  groups: readonly ViolationGroup[],
  field: string,
): [origin: string, count: number][] => {
  const counts = new Map<string, number>();
  for (const group of groups) {
    if (!group.blocked.includes('://') || findPolicyList(group.directive)?.field !== field) continue;
    counts.set(group.blocked, (counts.get(group.blocked) ?? 0) + toCount(group));
  }
  return [...counts];
};

/**
 * Whether a blocked load did the app no harm that anybody saw: schema libraries, so nearly every app, try eval, are
 * refused and do without it. Only of an app that became ready, with no uncaught error that came of it.
 */
export const isSurvived = (
  violation: { readonly blockedUri: string },
  { status, scriptErrors }: Pick<AppSnapshot, 'status' | 'scriptErrors'>,
): boolean =>
  isBlockedEval(violation) &&
  (status === 'ready' || status === 'tearing-down' || status === 'closed') &&
  !scriptErrors.some(isEvalError);
