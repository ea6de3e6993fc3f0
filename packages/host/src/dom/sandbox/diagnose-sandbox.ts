import type { SessionFailure } from '../../core/state/session-state.js';
import type { SandboxTrouble } from '../../core/state/sandbox-failures.js';
import type { FrameSpec } from '../../core/surface.js';

/** What a second frame, which asks the sandbox what is wrong, brought to light. */
type Finding =
  | { readonly kind: 'verdict'; readonly verdict: string; readonly release?: string }
  | { readonly kind: 'violation' }
  /** A document was loaded that says nothing: an error page of the browser, or something that is no sandbox. */
  | { readonly kind: 'silence' };

/** A message of the frame may be on its way while its load event is here. */
const afterLoadMs = 200;
const answerMs = 3_000;

/** Loaded on demand, when the frame of a sandbox has loaded and its proxy has not said a word: asks why. */
export const diagnoseSandbox = async (
  spec: FrameSpec,
  given: { readonly origins: readonly string[]; readonly isCredentialless: boolean },
  signal: AbortSignal,
): Promise<SessionFailure | undefined> => {
  const finding = await ask(spec, signal, 'exempt');
  if (!finding || signal.aborted) return undefined;
  const release = finding.kind === 'verdict' ? finding.release : undefined;
  const trouble = await findTrouble(finding, spec, { ...given, signal });
  const sandbox = { origin: spec.origin, pageOrigins: given.origins, ...(release ? { release } : {}) };
  return trouble && (await import('../../core/state/trouble.js')).toSandboxFailure(trouble, sandbox);
};

/**
 * Frames, not fetches: a page that may frame the sandbox often may not fetch from it. The question gets through whatever
 * the page's policy on embedding is, unless it shall be held to that as the app's own frame is.
 */
const ask = (
  spec: FrameSpec,
  signal: AbortSignal,
  embedding: 'exempt' | 'held',
): Promise<Finding | undefined> =>
  new Promise((resolve) => {
    // Nobody wants to know any more.
    if (signal.aborted) return resolve(undefined);
    const frame = document.createElement('iframe');
    const ends = new AbortController();
    const end = (finding?: Finding): void => {
      ends.abort();
      frame.remove();
      resolve(finding);
    };
    const on = { signal: ends.signal };
    signal.addEventListener('abort', () => end(), on);
    window.addEventListener(
      'message',
      ({ source, origin, data }: MessageEvent<unknown>) => {
        if (source !== frame.contentWindow || origin !== spec.origin) return;
        const verdict = readWord(data, 'casementProbe') ?? (isProxyReady(data) ? 'ready' : undefined);
        const release = readWord(data, 'release');
        if (verdict !== undefined) end({ kind: 'verdict', verdict, ...(release ? { release } : {}) });
      },
      on,
    );
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, disposition }) => {
        const isFrame = /^(?:frame|child|default)-src$/.test(effectiveDirective);
        if (disposition === 'enforce' && isFrame && blockedURI.startsWith(spec.origin))
          end({ kind: 'violation' });
      },
      on,
    );
    frame.addEventListener('load', () => setTimeout(() => end({ kind: 'silence' }), afterLoadMs), on);
    setTimeout(() => end(), answerMs);
    frame.setAttribute('sandbox', spec.sandbox);
    frame.toggleAttribute('credentialless', embedding === 'exempt');
    frame.referrerPolicy = 'no-referrer';
    frame.hidden = true;
    frame.tabIndex = -1;
    // The static file answers no questions; that it comes up there is an answer as well.
    frame.src = spec.probeUrl === undefined ? spec.url : `${spec.probeUrl}&embedding=${embedding}`;
    document.body.append(frame);
  });

const findTrouble = async (
  finding: Finding,
  spec: FrameSpec,
  { isCredentialless, signal }: { readonly isCredentialless: boolean; readonly signal: AbortSignal },
): Promise<SandboxTrouble | undefined> => {
  if (finding.kind === 'violation') return 'blocked-by-page';
  if (finding.kind === 'silence') return (await isAnswered(spec)) ? 'unknown' : 'unreachable';
  switch (finding.verdict) {
    case 'host-refused':
    case 'base-differs':
    case 'ancestor-refused':
      return finding.verdict;
    case 'policy-refused':
      return finding.release === spec.release ? 'policy-refused' : 'release-differs';
    case 'ready':
      // Some browsers do not tell which pages are around, so the sandbox could not be asked about them.
      if (window.top !== window && location.ancestorOrigins === undefined && !crossOriginIsolated)
        return 'ancestor-refused';
      if (isCredentialless) return undefined;
      // Only if the same question does not get through without exemption it is the page's policy.
      return (await ask(spec, signal, 'held'))?.kind === 'silence' ? 'embedder-policy' : undefined;
    default:
      return undefined;
  }
};

const isAnswered = (spec: FrameSpec): Promise<boolean> =>
  fetch(spec.url, { mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(answerMs) }).then(
    () => true,
    () => false,
  );

const readWord = (data: unknown, name: string): string | undefined => {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' && value.length <= 100 ? value : undefined;
};

const isProxyReady = (data: unknown): boolean =>
  readWord(data, 'method') === 'ui/notifications/sandbox-proxy-ready';
