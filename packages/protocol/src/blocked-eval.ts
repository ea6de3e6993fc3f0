import type { SandboxScriptError, SandboxViolation } from './sandbox-messages.js';

/** Whether a policy kept an app from compiling text: eval, new Function, WebAssembly. */
export const isBlockedEval = ({ blockedUri }: Pick<SandboxViolation, 'blockedUri'>): boolean =>
  /^(?:wasm-)?eval$/.test(blockedUri);

/** Whether an uncaught error says that the policy kept the app from compiling text. */
export const isEvalError = ({ message }: SandboxScriptError): boolean =>
  /EvalError|unsafe-eval|call to (?:eval|Function)\(\)/.test(message);
