import type { Tool } from '@casement/protocol';
import { CasementError } from '@casement/protocol/start';
import { throwCodeMissing } from '../missing-code.js';
import type { AppTools, createAppTools } from './app-tools.js';

/**
 * Tracks the tools that one app offers. Most apps offer none: the code is loaded when one declares or announces tools,
 * or somebody calls one.
 */
export const createLateAppTools = (...parts: Parameters<typeof createAppTools>): AppTools => {
  const [context] = parts;
  let tools: AppTools | undefined;
  let coming: Promise<AppTools> | undefined;
  let announced: readonly Tool[] = [];
  let isReady = false;

  const load = async (): Promise<AppTools> => {
    try {
      const module = await import('../loaded/tools-and-dialects.js').catch(throwCodeMissing);
      tools = module.createAppTools(...parts);
    } catch (error) {
      // The next one who needs it tries again.
      coming = undefined;
      throw error;
    }
    tools.announce(announced);
    if (isReady) tools.appReady();
    return tools;
  };
  const bring = (): Promise<AppTools> => (coming ??= load());
  const bringSoon = (): void => {
    bring().catch((error: unknown) => {
      const { message, hint = '' } = error instanceof CasementError ? error : { message: String(error) };
      context.addFinding({ code: 'host-code-missing', message, fix: hint, path: 'tools/list' });
    });
  };

  return {
    appReady() {
      isReady = true;
      if (tools) tools.appReady();
      else if (announced.length > 0 || context.snapshot().appCapabilities?.tools) bringSoon();
    },
    appGone() {
      isReady = false;
      tools?.appGone();
    },
    announce(given) {
      announced = given;
      if (tools) tools.announce(given);
      else if (given.length > 0) bringSoon();
    },
    // Before they were loaded nothing was listed that could have changed.
    listChanged: () => tools?.listChanged(),
    rename: () => tools?.rename(),
    progress: (params) => tools?.progress(params),
    call: async (...call) => (tools ?? (await bring())).call(...call),
  };
};
