import type { RequestHandlers } from '@casement/protocol';
import { decideLink, isTrustedLink, toLinkRequest, toLinkScope } from '../policy/decide-link.js';
import type { SessionOptions } from '../session-options.js';
import type { Consent } from '../consent/consent.js';
import type { HandlerContext } from './handler-context.js';

/** Opens a page outside after the user agreed; a "no" is a result with isError, a refusal an error (HOST-059). */
export const createOpenLink =
  (
    context: HandlerContext,
    consent: Consent,
    onOpenLink: NonNullable<SessionOptions['onOpenLink']>,
  ): RequestHandlers['ui/open-link'] =>
  async ({ url: link }, { signal }) => {
    const { links, server } = context.options;
    const { url, ...decision } = decideLink(link, context.ownPlaces(), links);
    context.enforce('ui/open-link', decision, { url: link.slice(0, 200) });
    if (!url) return { isError: true };
    const request = toLinkRequest(url, server.name);
    const isTaken = await consent({
      method: 'ui/open-link',
      kind: 'link',
      scope: toLinkScope(url),
      denial: 'link-denied',
      details: { url: url.href },
      signal,
      grantedBecause: isTrustedLink(url, links) ? 'The embedder trusts this origin.' : undefined,
      // Without it an app could open pages by itself (E08).
      needsActivation: true,
      alwaysAsk: request.warnings.includes('long-name'),
      ask: (options) => onOpenLink(request, options),
    });
    if (!isTaken) return { isError: true };
    context.surface.openLink(url.href);
    return {};
  };
