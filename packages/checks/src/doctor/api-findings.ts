import type { AppEvidence, AppPermission, EvidenceLog } from '@casement/protocol';
import type { AppFacts } from './doctor-facts.js';
import type { DoctorFinding, DoctorStage } from './report.js';
import { opaqueHostNames } from './storage-hosts.js';
import { toPlace, toSourcePlace } from './to-place.js';

type ApiUse = Extract<AppEvidence, { kind: 'api' }>;

type Api = ApiUse['api'];

interface Words {
  readonly code: string;
  readonly stage: DoctorStage;
  readonly severity: DoctorFinding['severity'];
  readonly message: string;
  readonly fix: string;
}

const permissionLine = (...names: readonly AppPermission[]): string =>
  `"_meta": { "ui": { "permissions": { ${names.map((name) => `"${name}": {}`).join(', ')} } } }`;

/** Where the storage of an app is kept instead. */
const storageFix =
  'Put try { … } catch { … } around it and go on without it. What must last: send ui/update-model-context, or keep it on the server with a tool.';

const toStorage = (name: string, { at, outcome, unguarded }: ApiUse, ready = Infinity): Words | undefined => {
  const shared = { stage: 'loaded', fix: storageFix } as const;
  if (outcome === 'refused') {
    // One that was caught did no harm.
    if (!unguarded) return undefined;
    return {
      ...shared,
      code: 'storage-unguarded',
      severity: 'error',
      message: `The app was refused ${name}, and nothing caught the error. It is so in ${opaqueHostNames}.`,
    };
  }
  if (at < ready) {
    return {
      ...shared,
      code: 'storage-at-start',
      severity: 'warning',
      message: `The app uses ${name} while it starts. In ${opaqueHostNames} that throws, and an app that does not catch the error stays blank.`,
    };
  }
  return {
    ...shared,
    code: 'storage-used',
    severity: 'note',
    message: `The app uses ${name}. In ${opaqueHostNames} that throws.`,
  };
};

const toDialog = (name: string, fix: string): Words => ({
  code: 'dialog-used',
  stage: 'painted',
  severity: 'warning',
  message: `The app calls ${name}(). Hosts do not let apps open such windows: nothing is shown, and the call returns at once.`,
  fix,
});

/** The window or service that the app asks the browser for, and the message that asks the host instead. */
const dialogs: Partial<Record<Api, Words>> = {
  alert: toDialog(
    'alert',
    'Show the text in the app itself; to say it in the conversation, send ui/message.',
  ),
  confirm: toDialog(
    'confirm',
    'Ask in the app itself, with a <dialog> element or two buttons; to let the user answer in the conversation, send ui/message.',
  ),
  prompt: toDialog(
    'prompt',
    'Ask in the app itself, with an <input> in a <dialog> element; to let the user answer in the conversation, send ui/message.',
  ),
  open: {
    code: 'popup-used',
    stage: 'painted',
    severity: 'warning',
    message: 'The app calls window.open(). Hosts do not let apps open windows: nothing opens.',
    fix: 'Send ui/open-link with the address, when the user clicks; with the App class: app.openLink({ url }).',
  },
  print: {
    code: 'print-used',
    stage: 'painted',
    severity: 'warning',
    message: 'The app calls print(). Hosts do not let apps print: nothing happens.',
    fix: 'Send ui/download-file with the document as a file that the user can print; with the App class: app.downloadFile(…).',
  },
  'picture-in-picture': {
    code: 'picture-in-picture-used',
    stage: 'painted',
    severity: 'warning',
    message: 'The app asks the browser for picture-in-picture, which frames of hosts do not allow.',
    fix: 'Send ui/request-display-mode with the mode "pip"; with the App class: app.requestDisplayMode({ mode: "pip" }).',
  },
  fullscreen: {
    code: 'fullscreen-used',
    stage: 'painted',
    severity: 'warning',
    message: 'The app asks the browser for the full screen, which frames of hosts do not allow.',
    fix: 'Send ui/request-display-mode with the mode "fullscreen"; with the App class: app.requestDisplayMode({ mode: "fullscreen" }).',
  },
  'service-worker': {
    code: 'service-worker-used',
    stage: 'loaded',
    severity: 'warning',
    message: 'The app registers a service worker. An app has no address a worker could be read from.',
    fix: 'Leave it out: the host reads the page anew. Put what the app needs into the HTML.',
  },
  'screen-capture': {
    code: 'permission-impossible',
    stage: 'painted',
    severity: 'warning',
    message: 'The app asks for the picture of the screen, which no metadata can ask for.',
    fix: 'Let the user choose a picture with <input type="file">.',
  },
  notifications: {
    code: 'permission-impossible',
    stage: 'painted',
    severity: 'warning',
    message: 'The app asks to show notifications, which no metadata can ask for.',
    fix: 'Say it in the conversation: send ui/message.',
  },
};

const toUndeclared = (what: string, ...names: readonly AppPermission[]): Words => ({
  code: 'permission-undeclared',
  stage: 'framed',
  severity: 'warning',
  message: `The app uses ${what}, and its resource does not declare that it does, so hosts do not give it.`,
  fix: `Declare it in the metadata of the resource: ${permissionLine(...names)}`,
});

const toNotGiven = (what: string, outcome: ApiUse['outcome']): Words | undefined =>
  outcome === 'used'
    ? undefined
    : {
        code: 'permission-not-given',
        stage: 'framed',
        severity: 'note',
        message: `The app declares that it uses ${what}, and did not get it here.`,
        fix: 'Give it in the tab Security and try again; let the app go on without it, as the user of any host may say no.',
      };

/** What the app declares, or what it got: one that the user has not given yet is declared all the same. */
const readDeclared = ({ policy, resource }: AppFacts): ReadonlySet<AppPermission> =>
  new Set([...(policy?.effective.permissions ?? []), ...(resource?.permissions ?? [])]);

const toPermission = (use: ApiUse, declared: ReadonlySet<AppPermission>): Words | undefined => {
  switch (use.api) {
    case 'clipboard':
      return declared.has('clipboardWrite')
        ? toNotGiven('the clipboard', use.outcome)
        : toUndeclared('the clipboard', 'clipboardWrite');
    case 'camera-microphone':
      return declared.has('camera') || declared.has('microphone')
        ? toNotGiven('camera or microphone', use.outcome)
        : toUndeclared('camera or microphone', 'camera', 'microphone');
    case 'geolocation':
      return declared.has('geolocation')
        ? toNotGiven('the location', use.outcome)
        : toUndeclared('the location', 'geolocation');
    default:
      return undefined;
  }
};

const storages: ReadonlySet<Api> = new Set([
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'cookie',
  'caches',
]);

const toWords = (use: ApiUse, app: AppFacts): Words | undefined => {
  if (storages.has(use.api))
    return toStorage(use.api === 'cookie' ? 'document.cookie' : use.api, use, app.times?.ready);
  return dialogs[use.api] ?? toPermission(use, readDeclared(app));
};

/** What the app uses of the browser that other hosts do not give, or that is asked for in another way. */
export const findApiFindings = (app: AppFacts, { items }: EvidenceLog): DoctorFinding[] =>
  items.flatMap((item): DoctorFinding[] => {
    if (item.kind !== 'api') return [];
    const words = toWords(item, app);
    const path = toPlace(item, app);
    if (words === undefined) return [];
    return [{ ...words, witness: 'app', ...(path !== undefined && { path }), ...toSourcePlace(item) }];
  });
