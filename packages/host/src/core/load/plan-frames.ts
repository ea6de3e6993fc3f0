import { CasementError } from '@casement/protocol/basics';
import type { FramePlan } from '../frame/frame-plan.js';
import { createFramePlan } from '../frame/frame-plan.js';
import type { SessionOptions } from '../session-options.js';
import type { Surface } from '../surface.js';
import type { AppResource } from './read-resource.js';
import { toToolFindings } from './read-resource.js';

/** How a document that was read is framed; throws when it cannot be. */
export const planFrames = async (
  read: AppResource,
  options: SessionOptions,
  { hasCredentialless, origins }: Pick<Surface, 'hasCredentialless' | 'origins'>,
): Promise<FramePlan> => {
  const toolFindings = options.tool ? await toToolFindings(options.tool) : [];
  const plan = await createFramePlan(read, { ...options, toolFindings, hasCredentialless }, origins);
  if (read.url !== undefined && plan.policy.frame.length === 0) throw toUnframed(read.url, plan);
  return plan;
};

const toUnframed = (url: string, { dropped }: FramePlan): CasementError =>
  new CasementError(
    'external-refused',
    `The app is the page ${new URL(url).origin}, which cannot be framed: it ${dropped[0]?.reason ?? 'is not allowed'}.`,
    {
      step: 'resource',
      hint: 'Use an https address that others can reach, and a sandbox with an origin per app.',
    },
  );
