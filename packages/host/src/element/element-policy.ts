import type { MountAppOptions } from '../dom/mount-app-options.js';
import type { McpAppEventMap } from './element-events.js';
import { ask, tell } from './element-events.js';
import type { McpAppSettings } from './element-settings.js';

type Hooks = Pick<MountAppOptions, 'onOpenLink' | 'onMessage' | 'onDisplayMode' | 'onLog' | 'openLink'>;
type Grants = Pick<MountAppOptions, 'permissions' | 'denyOrigins' | 'allowLoopback'>;

/**
 * The policy as mountApp takes it. A listener's answer comes first, then the callback; without either a link or a
 * message is denied and an offered mode granted. What has neither callback nor listener is not offered (HOST-045).
 */
export const toPolicyOptions = (
  element: EventTarget & Pick<McpAppSettings, 'policy'>,
  isHeard: (name: keyof McpAppEventMap) => boolean,
): Hooks & Grants => {
  const { permissions, denyOrigins, allowLoopback, openLink, onOpenLink, onMessage } = element.policy ?? {};
  const hooks: Required<Omit<Hooks, 'openLink'>> = {
    async onOpenLink(request) {
      const answer = ask(element, 'mcp-app-open-link', request)?.catch(() => false);
      return (await (answer ?? element.policy?.onOpenLink?.(request))) ?? false;
    },
    async onMessage(request) {
      const answer = ask(element, 'mcp-app-message', request)?.catch(() => false);
      return (await (answer ?? element.policy?.onMessage?.(request))) ?? false;
    },
    onDisplayMode(request) {
      const answer = ask(element, 'mcp-app-request-display-mode', request)?.catch(() => request.current);
      return answer ?? element.policy?.onDisplayMode?.(request) ?? request.mode;
    },
    onLog(entry) {
      tell(element, 'mcp-app-notifications-message', entry);
      element.policy?.onLog?.(entry);
    },
  };
  return {
    permissions,
    denyOrigins,
    allowLoopback,
    openLink,
    onDisplayMode: hooks.onDisplayMode,
    onLog: hooks.onLog,
    ...(onOpenLink || isHeard('mcp-app-open-link') ? { onOpenLink: hooks.onOpenLink } : {}),
    ...(onMessage || isHeard('mcp-app-message') ? { onMessage: hooks.onMessage } : {}),
  };
};
