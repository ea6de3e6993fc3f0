import type { MountAppOptions } from '../dom/mount-app-options.js';
import type { McpAppEventMap } from './element-events.js';
import { fire, tell } from './element-events.js';
import type { AskingHooks } from './element-questions.js';
import type { McpAppSettings } from './element-settings.js';

const questions: AskingHooks = {
  onOpenLink: 'mcp-app-open-link',
  onMessage: 'mcp-app-message',
  onDownload: 'mcp-app-download',
  onSampling: 'mcp-app-sampling',
  onToolCall: 'mcp-app-tool-consent',
  onDisplayMode: 'mcp-app-request-display-mode',
  onRequestTeardown: 'mcp-app-request-teardown',
};

/**
 * Turns the element's `policy` into options of mountApp: each callback is asked only after the event. A feature with
 * neither callback nor listener is not offered to the app (HOST-045). Changes of mode and requests to be closed need
 * neither.
 */
export const toPolicyOptions = (
  element: EventTarget & Pick<McpAppSettings, 'policy'>,
  isHeard: (name: keyof McpAppEventMap) => boolean,
): Partial<MountAppOptions> => {
  const { toolCalls, unannotated, ...hooks } = element.policy ?? {};
  const toolCallPolicy = { ...(toolCalls ? { toolCalls } : {}), ...(unannotated ? { unannotated } : {}) };
  const given: Record<string, unknown> = { ...hooks, toolCallPolicy };
  for (const [key, name] of Object.entries(questions)) {
    const hook = key as keyof AskingHooks; // the keys of the table above
    const isOffered = given[hook] || isHeard(name) || name.startsWith('mcp-app-request');
    if (isOffered)
      given[hook] = async (...args: unknown[]) =>
        (await import('./element-handlers.js')).answerHook(element, hook, name, args, fire);
  }
  const notices: Pick<MountAppOptions, 'onInitialize' | 'onLog' | 'onModelContext'> = {
    onInitialize: ({ appInfo, appCapabilities }) =>
      // The answer to ui/initialize is put together after this, so what a listener adds is in it.
      void tell(element, 'mcp-app-initialize', { appInfo, appCapabilities }),
    onLog(entry) {
      tell(element, 'mcp-app-notifications-message', entry);
      element.policy?.onLog?.(entry);
    },
  };
  if (given.onModelContext || isHeard('mcp-app-update-model-context'))
    notices.onModelContext = (context, app) => {
      tell(element, 'mcp-app-update-model-context', { context, app });
      element.policy?.onModelContext?.(context, app);
    };
  return { ...given, ...notices };
};
