import type { AppResource } from '../load/app-resource.js';
import type { FrameChoices, toGranted } from './frame-plan.js';
import { throwCodeMissing } from '../missing-code.js';
import type { FrameSpec } from '../surface.js';

/** How to frame HTML without a session. */
export interface FrameRequest extends FrameChoices, Pick<AppResource, 'csp' | 'uri'> {
  /** Keeps the frames of different servers apart. */
  readonly identity: string;
  /** The page's own origin first, then those around it. */
  readonly origins: readonly string[];
  /** Whether this browser has credentialless frames: without them the app goes to `otherSiteBase`, if there is one. */
  readonly hasCredentialless?: boolean;
}

/** The outer frame for some HTML, and what goes with the HTML when it is handed to the proxy; no protocol is involved. */
export const planFrame = async (
  request: FrameRequest,
): Promise<{ frame: FrameSpec; granted: ReturnType<typeof toGranted> }> => {
  const { identity, origins, uri, csp, permissions = [], hasCredentialless = true, ...options } = request;
  const { createFramePlan, toGranted } = await import('../loaded/first-parts.js').catch(throwCodeMissing);
  const { frame, policy } = await createFramePlan(
    { uri, family: 'mcp-apps', csp, permissions },
    { ...options, permissions, hasCredentialless, server: { identity } },
    origins,
  );
  return { frame, granted: toGranted(policy) };
};
