import { LATEST_PROTOCOL_VERSION, toPrintable } from '../loaded/loaded.js';
import type { MetadataFinding, ParamsOf } from '@casement/protocol';
import { findBlockedLoad, isEvalError } from '@casement/protocol/reports';
import type { SessionFailure } from './session-state.js';
import type { AppSnapshot, AppViolation } from './app-snapshot.js';

/** What is known of an app whose handshake did not end in time. */
interface Silence {
  readonly violations: readonly AppViolation[];
  readonly scriptErrors: readonly ParamsOf<'ui/notifications/sandbox-script-error'>[];
  /** The version the app asked for, if it got that far. */
  readonly askedVersion: string | undefined;
  /** Set while the app's thread does not answer. */
  readonly busy: SessionFailure | undefined;
}

/** The host reads no source map: what it knows is the place in the script that ran. */
const placeHint =
  'Line and column count in the script as it was sent, an inline one usually from its own beginning. They lead to your code if the build is not minified; Casement’s inspector follows its source map, too.';

const evalHint =
  'The policy blocked eval or new Function before the app connected, and no metadata allows them. Build the app without: use a schema or template library that does not compile code at run time, and no source maps made with eval.';

/**
 * The failure that names the probable cause of a missing ui/initialize or initialized. A blocked eval is one only
 * with the uncaught error it threw: schema libraries, so nearly every app, try eval, are refused and do without it.
 */
export const explainSilence = (failure: SessionFailure, known: Silence): SessionFailure => {
  const { violations, scriptErrors, askedVersion, busy } = known;
  if (busy) return { ...busy, step: failure.step };
  const error = scriptErrors.find((one) => !isEvalError(one));
  if (error) {
    return {
      ...failure,
      code: 'script-error',
      message: `The app stopped with a script error before it was ready: ${toErrorText(error)}`,
      hint: `Fix the error. ${placeHint}`,
    };
  }
  if (scriptErrors.length > 0) {
    const message = 'The policy blocked eval or new Function, and the app was not ready in time.';
    return { ...failure, code: 'eval-blocked', message, hint: evalHint };
  }
  if (askedVersion !== undefined && askedVersion !== LATEST_PROTOCOL_VERSION) {
    return {
      ...failure,
      code: 'unsupported-version',
      message: `The app asked for protocol version ${toPrintable(askedVersion.slice(0, 40))}, was answered ${LATEST_PROTOCOL_VERSION} and did not go on.`,
      hint: `Speak ${LATEST_PROTOCOL_VERSION}, or accept the version of the answer.`,
    };
  }
  return failure.code === 'no-initialize' ? { ...failure, ...toBlockedHint(failure, violations) } : failure;
};

const toBlockedHint = (
  { hint = '' }: SessionFailure,
  violations: readonly AppViolation[],
): { hint?: string } => {
  const blocked = findBlockedLoad(violations);
  if (blocked) {
    const { blockedUri, directive } = blocked;
    return {
      hint: `The policy blocked ${toPrintable(blockedUri)} (${toPrintable(directive)}) before the app connected. Put it into the HTML itself, or declare its origin in _meta.ui.csp of the resource.`,
    };
  }
  return violations.length > 0
    ? { hint: `${hint} The policy blocked eval, which libraries often only try.` }
    : {};
};

/** The size an app reports follows from the size it gets. */
export const sizeLoop: MetadataFinding = {
  code: 'size-loop',
  message:
    'The height the app reports follows from the height it is given, so the two chase each other. The host stopped following.',
  fix: 'Report the height of the content, not of the window: no 100vh or height: 100% on html, body or the root element, and no margin added to what is measured.',
  path: 'ui/notifications/size-changed',
};

/** It is the app's page that tells: however many these are, they leave room for what the host finds. */
const maxBlockedAssets = 10;

/**
 * The finding for a script or style sheet that the policy blocked in an app of an older family. The loader of such an
 * app reports ready even if the app itself does not run, so nothing else would explain a blank app.
 */
export const toBlockedAsset = (
  { policy, findings }: Pick<AppSnapshot, 'policy' | 'findings'>,
  { directive, blockedUri }: AppViolation,
): MetadataFinding | undefined => {
  const family = policy?.effective.family;
  if (family === undefined || family === 'mcp-apps') return undefined;
  if (findings.filter(({ code }) => code === 'asset-blocked').length >= maxBlockedAssets) return undefined;
  if (!/^(?:script|style)-src/.test(directive) || !/^https?:/.test(blockedUri)) return undefined;
  const place =
    family === 'openai' ? '_meta["openai/widgetCSP"].resource_domains' : '_meta.ui.csp.resourceDomains';
  return {
    code: 'asset-blocked',
    message: `The policy blocked ${toPrintable(blockedUri)} (${toPrintable(directive)}), so the app may show nothing.`,
    fix: `Put it into the HTML itself, or declare its origin in ${place} of the resource.`,
    path: place,
  };
};

/** An uncaught error of the app's document, as that document told it. */
export const scriptErrorFinding = (
  error: ParamsOf<'ui/notifications/sandbox-script-error'>,
): MetadataFinding => ({
  code: 'script-error',
  message: `The app threw an error that nothing caught: ${toErrorText(error)}`,
  fix: 'Fix the error, or catch it where it can happen.',
  path: 'html',
});

const toErrorText = ({
  message,
  sourceFile,
  line,
}: ParamsOf<'ui/notifications/sandbox-script-error'>): string => {
  const place = sourceFile ? ` (${toPrintable(sourceFile)}${line === undefined ? '' : `:${line}`})` : '';
  return `${toPrintable(message, 300)}${place}`;
};
