import type { RequestHandlers } from '@casement/protocol';
import { decideLink } from '../policy.js';
import type { AppOptions } from '../session-options.js';
import { createConsent } from './consent.js';
import type { HandlerContext } from './handler-context.js';

/** Opens a web page outside after the user agreed; a "no" is a result with isError, a refusal an error. */
export const createOpenLink = (
  context: HandlerContext,
  onOpenLink: NonNullable<AppOptions['onOpenLink']>,
): RequestHandlers['ui/open-link'] => {
  const consent = createConsent(context, 'ui/open-link', 'link-denied');
  return async ({ url: link }) => {
    const { url, ...decision } = decideLink(link, context.ownPlaces());
    context.enforce('ui/open-link', decision, { url: link.slice(0, 200) });
    if (!url) return { isError: true };
    const request = { url: url.href, host: url.host, server: context.options.server.name, warnings: [] };
    if (!(await consent(() => onOpenLink(request), { url: url.href }))) return { isError: true };
    context.surface.openLink(url.href);
    return {};
  };
};
