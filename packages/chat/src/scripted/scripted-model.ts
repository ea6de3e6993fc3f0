import type { ChatModel } from '../model/model.js';
import type { ModelScript } from './scripted-script.js';
import { checkChunk, checkPace, parseModelScript } from './scripted-script.js';

/** How a scripted model speaks. */
export interface ScriptedModelOptions {
  /** Its first steps, as recorded; after them, and without it, it does what it is told. */
  readonly script?: ModelScript;
  /** Milliseconds between two chunks; 0 waits for nothing. */
  readonly pace?: number;
  /** Characters per chunk. */
  readonly chunk?: number;
}

/** Creates a model that needs no key: it plays a script, then runs the commands that the user types. */
export const createScriptedModel = (options: ScriptedModelOptions = {}): ChatModel => {
  const { pace = 15, chunk = 12 } = options;
  checkPace(pace, 'pace');
  checkChunk(chunk, 'chunk');
  const script = parseModelScript(options.script ?? []);
  return {
    name: 'scripted',
    async *stream(request, { signal }) {
      const { speak, toStep } = await import('./scripted-steps.js');
      yield* speak(toStep(script, request), { request, signal, pace, chunk });
    },
  };
};
