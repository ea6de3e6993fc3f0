import { toPrintable } from '../loaded/loaded.js';
import type { ErrorCode, MetadataFinding } from '@casement/protocol';
import type { SessionFailure } from './session-state.js';

/** Page and sandbox were made by different releases: it may work, and it may be why something does not. */
export const toReleaseSkew = (sandbox: string, page: string): MetadataFinding => ({
  code: 'sandbox-release',
  message: `The sandbox is of release ${toPrintable(sandbox, 40)}, this page of release ${page}.`,
  fix: 'Serve page and sandbox from the same release of Casement.',
  path: 'sandbox',
});

/**
 * The finding for a browser without credentialless frames: what the app stores lasts, although the embedder did not ask
 * for that.
 */
export const toStorageLasts = (site: 'page' | 'other' | undefined): MetadataFinding => {
  const isElsewhere = site === 'other';
  const cookies = ', and cookies it sets reach other pages of the sandbox’s site';
  return {
    code: 'storage-lasts',
    message: `This browser cannot end the storage of an app with the page (it has no credentialless frames): what the app stores lasts${isElsewhere ? '' : cookies}.`,
    fix: `Give each user of your page an id with \`user\`${isElsewhere ? '' : ', use __Host- cookies, and give the sandbox an `otherSiteBase` for such browsers'}.`,
    path: 'sandbox',
  };
};

/** The app found its storage closed before its own first byte. */
export const storageBlocked: MetadataFinding = {
  code: 'storage-blocked',
  message:
    'The browser refuses this app any storage: localStorage, sessionStorage and IndexedDB throw. It does so for a sandbox on another site than the page where third-party cookies are blocked.',
  fix: 'Serve the sandbox from the site of your page (apps.example.com for chat.example.com), and open your page under that site.',
  path: 'sandbox',
};

/** An embedder wants a report in full and gave nothing that makes one. */
export const noEvidenceScript: MetadataFinding = {
  code: 'evidence-script-missing',
  message:
    "evidence: 'full' needs a script that the host does not bring; what listeners hear is collected alone.",
  fix: 'Give evidenceScript of @casement/sandbox/evidence as the option evidenceScript.',
  path: 'evidenceScript',
};

/** What an inquiry can find out about a sandbox that does not come up. */
export type SandboxTrouble =
  | 'unreachable'
  | 'unknown'
  | 'blocked-by-page'
  | 'host-refused'
  | 'base-differs'
  | 'ancestor-refused'
  | 'embedder-policy'
  | 'release-differs'
  | 'policy-refused';

/** What the words of a failure are about. */
interface TroubledSandbox {
  readonly origin: string;
  /** The page's own origin first, then those around it. */
  readonly pageOrigins: readonly string[];
  readonly release?: string;
}

const toWords = (
  trouble: SandboxTrouble,
  { origin, pageOrigins, release }: TroubledSandbox,
): { code: ErrorCode; message: string; hint: string } => {
  const [page = '', ...around] = pageOrigins;
  switch (trouble) {
    case 'unreachable':
      return {
        code: 'sandbox-unreachable',
        message: `No sandbox answers at ${origin}.`,
        hint: 'Start the sandbox, and check that its name resolves in this browser and that its port and certificate are right.',
      };
    case 'unknown':
      return {
        code: 'sandbox-unknown',
        message: `Something answers at ${origin}, but it is no sandbox of Casement.`,
        hint: 'Check the sandbox address given to this page, and what a server or proxy in front of the sandbox does with its answers.',
      };
    case 'blocked-by-page':
      return {
        code: 'sandbox-blocked-by-page',
        message: `The Content-Security-Policy of this page does not allow frames from ${origin}.`,
        hint: `Add ${origin} to frame-src in the policy of the page.`,
      };
    case 'host-refused':
      return {
        code: 'sandbox-host-refused',
        message: `The sandbox does not serve pages of ${page}.`,
        hint: `Add '${page}' to hostOrigins of createSandboxHandler.`,
      };
    case 'base-differs':
      return {
        code: 'sandbox-base-differs',
        message: `The sandbox that answers at ${origin} has another base than this page was given.`,
        hint: 'Give the page and createSandboxHandler the same base: scheme, name and port as the browser uses them.',
      };
    case 'ancestor-refused':
      return {
        code: 'sandbox-ancestor-refused',
        message: `This page is itself in a frame${around.length > 0 ? ` of ${around.join(', ')}` : ''}, and the sandbox does not know that page.`,
        hint: `Name it in hostAncestors of createSandboxHandler: { '${page}': [${around.map((name) => `'${name}'`).join(', ')}] }.`,
      };
    case 'embedder-policy':
      return {
        code: 'sandbox-embedder-policy',
        message: 'This page has a Cross-Origin-Embedder-Policy, which keeps the frame of the sandbox out.',
        hint: "Leave out storage: 'persistent', so that the frame is credentialless; in a browser without such frames, leave out the Cross-Origin-Embedder-Policy.",
      };
    case 'release-differs':
      return {
        code: 'sandbox-release-differs',
        message: `The sandbox is of release ${release ?? 'unknown'} and does not understand what this page asks for.`,
        hint: 'Serve the sandbox from the same release of Casement as the page.',
      };
    case 'policy-refused':
      return {
        code: 'sandbox-misconfigured',
        message: 'The sandbox refuses the policy of this app.',
        hint: 'Give the page and createSandboxHandler the same options (allowLoopback, opaqueBase); onRefusal of the handler says what it refuses.',
      };
  }
};

/** The failure that names what is wrong with a sandbox. */
export const toSandboxFailure = (trouble: SandboxTrouble, sandbox: TroubledSandbox): SessionFailure => ({
  step: 'sandbox',
  ...toWords(trouble, sandbox),
});
