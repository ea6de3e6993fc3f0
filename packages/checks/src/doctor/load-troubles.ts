import type { AppEvidence } from '@casement/protocol';
import { isBlockedEval, isEvalError } from '@casement/protocol/reports';
import { toPrintable } from '@casement/protocol/basics';
import { toAllowingMetadata } from '../policy/allowing-metadata.js';
import { bundling } from '../policy/bundling.js';
import { toDirectiveName } from '../policy/policy-lists.js';
import type { AppFacts, DoctorFacts, SeenViolation } from './doctor-facts.js';
import type { DoctorFinding, SeenPlace, Witness } from './report.js';
import { toSourcePlace } from './to-place.js';

/** Something the app wanted to load and did not get, with the likely cause. */
export interface LoadTrouble {
  /** The element that wanted it, or what is like one. */
  readonly element: string;
  readonly finding: DoctorFinding;
  readonly cause: string;
}

type FailedLoad = Extract<AppEvidence, { kind: 'load-failed' }>;

/** More than this many different loads nobody reads. */
const maxTroubles = 40;
/** Reports repeat themselves; beyond this none is looked at. */
const maxLooked = 2_000;

const nouns: ReadonlyMap<string, string> = new Map([
  ['script', 'script'],
  ['link', 'style sheet'],
  ['style', 'style sheet'],
  ['css', 'file that a style sheet names'],
  ['img', 'picture'],
  ['image', 'picture'],
  ['font', 'font'],
  ['iframe', 'frame'],
  ['frame', 'frame'],
  ['video', 'video'],
  ['audio', 'sound'],
  ['source', 'media file'],
  ['media', 'media file'],
  ['connect', 'address'],
]);

const toNoun = (element: string): string => nouns.get(element) ?? 'file';

/** What a directive is about, as an element's name. */
const toElement = (directive: string): string => directive.replace(/-src(?:-elem|-attr)?$/, '');

/** Without scripts and styles most apps are blank; without a picture they are not. */
const isVital = (element: string): boolean => ['script', 'link', 'style'].includes(element);

/** The address without the part behind #, which no browser reports for a blocked load. */
const toKey = (url: string): string => url.split('#', 1)[0] ?? '';

/**
 * The part of an address that the author wrote, if it was relative: an app is one document without a server behind it, so
 * a relative address ends at an origin of the sandbox, or nowhere.
 */
const readRelative = (url: string, { address }: Pick<AppFacts, 'address'>): string | undefined => {
  if (url.startsWith('about:')) return url.slice('about:srcdoc'.length) || url;
  if (!URL.canParse(url)) return url;
  const { origin, pathname, search } = new URL(url);
  const isOurs = origin !== 'null' && (origin === address?.appOrigin || origin === address?.proxyOrigin);
  return isOurs ? pathname + search : undefined;
};

const toRelative = (
  element: string,
  path: string,
  { witness, ...at }: SeenPlace & { readonly witness: Witness },
): LoadTrouble => ({
  element,
  finding: {
    code: 'relative-address',
    stage: 'loaded',
    severity: isVital(element) ? 'error' : 'warning',
    witness,
    message: `The ${toNoun(element)} ${toPrintable(path, 200)} did not load: its address is relative, and there is nothing it could be relative to.`,
    fix: bundling,
    path: toPrintable(path, 200),
    ...toSourcePlace(at),
  },
  cause:
    'An app is one HTML document without a server behind it: a relative address has nothing to resolve to. Most builds write several files with such addresses.',
});

/** How the host begins to say that an address was blocked: of the whole address, as the app can have it say others. */
const toBlockedWords = (uri: string): string => `The policy blocked ${toPrintable(uri)} (`;

const toBlocked = (violation: SeenViolation, app: AppFacts, witness: Witness): LoadTrouble => {
  const directive = toDirectiveName(violation.directive);
  const uri = violation.blockedUri;
  const remedy = toAllowingMetadata(violation, {
    policy: app.policy?.effective,
    appOrigin: app.address?.appOrigin,
    isOpaque: app.fallback !== undefined,
  });
  const shown = toPrintable(uri, 200);
  return {
    element: toElement(directive),
    finding: {
      code: 'load-blocked',
      stage: 'loaded',
      severity: isVital(toElement(directive)) ? 'error' : 'warning',
      witness,
      message: `The policy blocked ${shown} (${toPrintable(directive, 60)}).`,
      fix:
        remedy.kind === 'metadata'
          ? `Declare it in the metadata of the resource: ${remedy.line}`
          : [remedy.instead, remedy.line].filter((part) => part !== undefined).join(' '),
      path: remedy.kind === 'metadata' ? `_meta.ui.csp.${remedy.field}` : shown,
      ...toSourcePlace(violation),
    },
    cause:
      remedy.kind === 'metadata'
        ? `The resource does not declare ${toPrintable(remedy.origin, 200)} in _meta.ui.csp.${remedy.field}, so no strict host lets the app load from there.`
        : remedy.reason,
  };
};

const toEvalTrouble = (violation: SeenViolation, witness: Witness): LoadTrouble => ({
  element: 'script',
  finding: {
    code: 'eval-blocked',
    stage: 'loaded',
    severity: 'error',
    witness,
    message: 'The policy blocked eval or new Function, and an error that nothing caught came of it.',
    fix: 'Build without them: compile templates and schemas ahead of time, and turn off source maps made with eval.',
    ...toSourcePlace(violation),
  },
  cause: 'No metadata allows eval, new Function or timers with text.',
});

const toFailed = (load: FailedLoad): LoadTrouble => {
  const { url, element, status } = load;
  const shown = toPrintable(url, 200);
  const reason = status === undefined ? 'the browser does not say why' : `its server answered ${status}`;
  const isPermitted = status === 401 || status === 403;
  return {
    element,
    finding: {
      code: 'load-failed',
      stage: 'loaded',
      severity: isVital(element) ? 'error' : 'warning',
      witness: 'app',
      message: `The ${toNoun(element)} ${shown} (<${toPrintable(element, 20)}>) did not load: ${reason}.`,
      fix:
        status === undefined
          ? `Open ${shown} in a browser and see what answers; correct the address, or put what it holds into the HTML, so that the app needs no network.`
          : isPermitted
            ? `Make ${shown} readable without signing in, or put what it holds into the HTML.`
            : `Correct the address or put the file there; or put what it holds into the HTML, so that the app needs no network.`,
      path: shown,
      ...toSourcePlace(load),
    },
    cause:
      status === undefined
        ? 'Nothing answered at that address, or the answer may not be read by a page of another origin: no network, a name that does not resolve, a server that is down, or a redirect to an origin that is not declared.'
        : isPermitted
          ? 'The server wants a sign-in, and apps send none.'
          : 'The file is not at that address.',
  };
};

/** Whether the app did without eval, as most libraries do that try it. */
const hasSurvived = ({ status, scriptErrors }: AppFacts): boolean =>
  ['ready', 'tearing-down', 'closed', 'evicted'].includes(status) && !scriptErrors.some(isEvalError);

/** What the app wanted to load and did not get, in the order it was seen, each address once; what kept it out is told by the policy first. */
export const findLoadTroubles = ({
  app,
  reports = [],
}: Pick<DoctorFacts, 'app' | 'reports'>): LoadTrouble[] => {
  if (app === undefined) return [];
  const found = new Map<string, LoadTrouble>();
  const add = (key: string, toTrouble: () => LoadTrouble): void => {
    if (!found.has(key) && found.size < maxTroubles) found.set(key, toTrouble());
  };
  const addBlocked = (violation: SeenViolation, witness: Witness): void => {
    const { blockedUri } = violation;
    const directive = toDirectiveName(violation.directive);
    if (isBlockedEval(violation)) {
      // Before the app is ready nobody can tell whether it needs what was refused.
      if (app.scriptErrors.some(isEvalError) && !hasSurvived(app))
        add('eval', () => toEvalTrouble(violation, witness));
      return;
    }
    const key = toKey(blockedUri);
    // Apps of an older family declare in another place; the host says where.
    if (
      blockedUri !== '' &&
      app.findings.some(
        ({ code, message }) => code === 'asset-blocked' && message.startsWith(toBlockedWords(blockedUri)),
      )
    ) {
      return;
    }
    const path = /^(?:https?:|about:|\/|\.)/.test(blockedUri) ? readRelative(blockedUri, app) : undefined;
    if (path !== undefined) add(key, () => toRelative(toElement(directive), path, { ...violation, witness }));
    else add(/:/.test(key) ? key : `${directive} ${key}`, () => toBlocked(violation, app, witness));
  };
  // Its own first: reports of other apps, however many, take nothing of what is looked at.
  const own = reports.filter(({ appOrigin }) => appOrigin === app.address?.appOrigin);
  for (const report of own.slice(0, maxLooked)) addBlocked(report, 'browser');
  for (const violation of app.violations.slice(0, maxLooked)) addBlocked(violation, 'app');
  for (const item of app.evidence?.items ?? []) {
    if (item.kind !== 'load-failed') continue;
    const path = readRelative(item.url, app);
    add(toKey(item.url), () =>
      path === undefined ? toFailed(item) : toRelative(item.element, path, { ...item, witness: 'app' }),
    );
  }
  return [...found.values()];
};

/** The load whose absence most likely explains a blank app: scripts draw most of them. */
export const findWorstLoad = (troubles: readonly LoadTrouble[]): LoadTrouble | undefined => {
  const errors = troubles.filter(({ finding }) => finding.severity === 'error');
  return errors.find(({ element }) => element === 'script') ?? errors[0] ?? troubles[0];
};
