import { toAnswer, toPageAnswer, toProbePage, type SandboxAnswer, type SandboxRequest } from './answers.js';
import { probeScriptHash } from '../generated/probe.js';
import { readPolicyHost } from '../policy/check-policy.js';

/** How the sandbox would answer a request for an app; it tells whoever frames the probe nothing else. */
type ProbeVerdict = 'ready' | 'base-differs' | 'host-refused' | 'ancestor-refused' | 'policy-refused';

/** The facts that the verdict depends on. */
interface ProbeOptions {
  /** Whether the name the request came under is the sandbox's own. */
  readonly isOwnHost: boolean;
  readonly hostOrigins: readonly string[];
  ancestorsOf(host: string): readonly string[];
  isServed(url: URL): boolean;
}

const toVerdict = (url: URL, options: ProbeOptions): ProbeVerdict => {
  if (!options.isOwnHost) return 'base-differs';
  const host = readPolicyHost(url.searchParams.get('p') ?? '');
  if (host === undefined) return 'policy-refused';
  if (!options.hostOrigins.includes(host)) return 'host-refused';
  if (!options.isServed(url)) return 'policy-refused';
  const allowed = [host, ...options.ancestorsOf(host)];
  return url.searchParams.getAll('around').every((origin) => allowed.includes(origin))
    ? 'ready'
    : 'ancestor-refused';
};

/**
 * Answers `/probe`: without a policy that there is a sandbox, with one a page that tells its parent why the sandbox
 * would refuse it. Any page may frame it, also under COEP: a page that is refused must be able to learn that it is. With
 * `embedding=held` the page is held to its COEP, as it is with a proxy: who hears nothing then knows that it has one.
 */
export const answerProbe = async (request: SandboxRequest, options: ProbeOptions): Promise<SandboxAnswer> => {
  const url = new URL(request.url);
  const shared = { 'cross-origin-resource-policy': 'cross-origin' };
  if (!url.searchParams.has('p')) return toAnswer(204, shared);
  const isHeld = url.searchParams.get('embedding') === 'held';
  return toPageAnswer(toProbePage(toVerdict(url, options)), request, {
    ...shared,
    ...(isHeld ? {} : { 'cross-origin-embedder-policy': 'require-corp' }),
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src '${probeScriptHash}'; base-uri 'none'; form-action 'none'; sandbox allow-scripts allow-same-origin`,
  });
};
