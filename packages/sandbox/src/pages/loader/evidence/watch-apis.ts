import type { AppEvidence } from '@casement/protocol';
import type { EvidenceQueue } from '../evidence-queue.js';
import { readPlace } from './code-place.js';
import { reportQuietly, watchCalls, type Call } from './natives.js';

// The functions of a browser that work in some hosts and not in others. What comes of a promise is not looked at: who
// listens to one takes its unhandled rejection from the app. So the browser's policy is asked, where it tells.

type Api = Extract<AppEvidence, { kind: 'api' }>['api'];
type Outcome = 'used' | 'refused';
type Row = readonly [
  api: Api,
  /** Whose it is, by name below the page's window; '' for the window itself. */
  owner: string,
  names: string,
  /** What came of a call that threw nothing: a feature of the browser's policy, or what decides. */
  how?: string | ((call: Call) => Outcome | undefined),
];

const refused = (): Outcome => 'refused';
const byResult = ({ result }: Call): Outcome => (result === null || result === false ? 'refused' : 'used');
const nothing = (): undefined => undefined;
const copies = (call: Call): Outcome | undefined => {
  const [command] = call.args;
  return command === 'copy' || command === 'cut' || command === 'paste' ? byResult(call) : undefined;
};

// No sandbox of ours lets a page open dialogs or windows, and none serves a worker.
const rows: readonly Row[] = [
  ['localStorage', '', 'localStorage'],
  ['sessionStorage', '', 'sessionStorage'],
  ['indexedDB', 'IDBFactory', 'open'],
  ['cookie', 'Document', 'cookie'],
  ['caches', '', 'caches', nothing],
  ['caches', 'CacheStorage', 'open'],
  ['alert', '', 'alert', refused],
  ['confirm', '', 'confirm', refused],
  ['prompt', '', 'prompt', refused],
  ['print', '', 'print', refused],
  ['open', '', 'open', byResult],
  ['clipboard', 'Clipboard', 'write writeText', 'clipboard-write'],
  ['clipboard', 'Clipboard', 'read readText', 'clipboard-read'],
  ['clipboard', 'Document', 'execCommand', copies],
  ['camera-microphone', 'MediaDevices', 'getUserMedia', 'camera microphone'],
  ['screen-capture', 'MediaDevices', 'getDisplayMedia', 'display-capture'],
  ['geolocation', 'Geolocation', 'getCurrentPosition watchPosition', 'geolocation'],
  ['notifications', 'Notification', 'requestPermission', refused],
  ['service-worker', 'ServiceWorkerContainer', 'register', refused],
  ['picture-in-picture', 'HTMLVideoElement', 'requestPictureInPicture', 'picture-in-picture'],
  ['picture-in-picture', 'DocumentPictureInPicture', 'requestWindow', 'picture-in-picture'],
  ['fullscreen', 'Element', 'requestFullscreen', 'fullscreen'],
];

/** Not in the DOM types, nor in every browser. */
interface FeaturePolicy {
  allowsFeature(name: string): boolean;
}

const toOutcome = (features: string): Outcome => {
  const { featurePolicy } = document as Document & { readonly featurePolicy?: FeaturePolicy };
  const isAllowed = !featurePolicy || features.split(' ').some((name) => featurePolicy.allowsFeature(name));
  return isAllowed ? 'used' : 'refused';
};

const toOwner = (name: string): object | undefined => {
  if (name === '') return window;
  const found = (window as unknown as Record<string, { prototype: object } | undefined>)[name];
  // Asked by a function of its own.
  return name === 'Notification' ? found : found?.prototype;
};

/** Reports the first use of each; `listen` hears whether an error they threw was caught by nobody. */
export const watchApis = (add: EvidenceQueue['add'], onListen: (listen: () => void) => void): void => {
  const told: Record<string, true> = {};
  let thrown: { readonly api: Api; readonly error: unknown } | undefined;

  const report = (api: Api, outcome: Outcome, more: object): void => {
    const key = `${api} ${outcome} ${'unguarded' in more}`;
    if (told[key]) return;
    told[key] = true;
    add({ kind: 'api', api, outcome, ...more });
  };
  for (const [api, owner, names, how] of rows) {
    const known = typeof how === 'string' ? toOutcome(how) : 'used';
    for (const name of names.split(' '))
      watchCalls(toOwner(owner), name, (call) => {
        if (call.hasThrown) thrown = { api, error: call.error };
        const outcome = call.hasThrown ? 'refused' : typeof how === 'function' ? how(call) : known;
        if (outcome) report(api, outcome, told[`${api} ${outcome} false`] ? {} : readPlace(call.marker));
      });
  }
  const onUncaught = (event: Event): void =>
    reportQuietly(() => {
      // Of an error and of a rejection.
      const { error, reason } = event as Partial<ErrorEvent & PromiseRejectionEvent>;
      if (thrown && thrown.error === (error ?? reason)) report(thrown.api, 'refused', { unguarded: true });
    });
  const onViolation = ({
    blockedURI,
    sourceFile,
    lineNumber,
    columnNumber,
  }: SecurityPolicyViolationEvent): void => {
    if (blockedURI === 'eval')
      reportQuietly(() =>
        report('eval', 'refused', {
          sourceFile: sourceFile.split('?')[0],
          line: lineNumber,
          column: columnNumber,
        }),
      );
  };
  onListen(() => {
    window.addEventListener('error', onUncaught, true);
    window.addEventListener('unhandledrejection', onUncaught, true);
    window.addEventListener('securitypolicyviolation', onViolation, true);
  });
};
