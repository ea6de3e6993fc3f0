import type { SandboxScriptError, SandboxViolation } from '../messages/sandbox-messages.js';

/** Whether a policy kept an app from compiling text: eval, new Function, WebAssembly. */
export const isBlockedEval = ({ blockedUri }: Pick<SandboxViolation, 'blockedUri'>): boolean =>
  /^(?:wasm-)?eval$/.test(blockedUri);

/** Whether an uncaught error says that the policy kept the app from compiling text. */
export const isEvalError = ({ message }: SandboxScriptError): boolean =>
  /EvalError|unsafe-eval|call to (?:eval|Function)\(\)/.test(message);

/**
 * The blocked load that most likely kept an app from starting. A script tells more than a picture that is missing, and
 * a blocked eval tells nothing: libraries try it and do without.
 */
export const findBlockedLoad = <Violation extends Pick<SandboxViolation, 'blockedUri' | 'directive'>>(
  violations: readonly Violation[],
): Violation | undefined => {
  const loads = violations.filter((violation) => !isBlockedEval(violation));
  return loads.find(({ directive }) => directive.startsWith('script-src')) ?? loads[0];
};
