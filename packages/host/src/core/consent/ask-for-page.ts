import { CasementError } from '../loaded/loaded.js';
import { toLinkRequest } from '../policy/decide-link.js';
import type { SessionOptions } from '../session-options.js';
import type { SessionRecorder } from '../state/session-recorder.js';

/** Throws unless the user agreed to show an external page; asks once per origin and session. */
export const askForPage = async (
  url: string,
  parts: {
    readonly options: Pick<SessionOptions, 'onExternalUrl' | 'server'>;
    readonly recorder: SessionRecorder;
    readonly agreed: Set<string>;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  const { options, recorder, agreed, signal } = parts;
  const { origin } = new URL(url);
  if (agreed.has(origin)) return;
  const { host, server, warnings } = toLinkRequest(new URL(url), options.server.name);
  const answer = await options.onExternalUrl?.({ url, origin, host, server, warnings }, { signal });
  const isGranted = answer === true || answer === 'always';
  const reason = options.onExternalUrl ? 'The user said no.' : 'This host shows no pages of other origins.';
  const hint = 'Return HTML, or agree to the page in onExternalUrl of the host.';
  recorder.decision(
    'external-url',
    isGranted
      ? { allow: true, reason: 'The user agreed.' }
      : { allow: false, code: 'external-refused', reason, hint },
    { url },
  );
  if (!isGranted)
    throw new CasementError('external-refused', `The app is the page ${origin}. ${reason}`, {
      step: 'resource',
      hint,
    });
  agreed.add(origin);
};
