// What of a widget's state the model is shown: all of it, unless the state itself says which part is the model's.
import type { HostLine, Introduction } from './host-line.js';
import { isObject } from './is-object.js';

const parts = ['modelContent', 'privateContent', 'imageIds'];

/** The model's part of a state; nothing of a state that names its parts but has none for the model. */
export const toModelPart = (state: unknown): unknown =>
  isObject(state) && parts.some((name) => Object.hasOwn(state, name)) ? state['modelContent'] : state;

const toParams = (part: unknown): object => {
  if (part === undefined || part === null) return {};
  if (typeof part === 'string') return { content: [{ type: 'text', text: part }] };
  return { structuredContent: isObject(part) ? part : { value: part } };
};

/** Tells the host what the model should know of a state, whenever that changed. */
export const createModelTeller = (
  line: HostLine,
  { capabilities, context }: Introduction,
): ((state: unknown) => Promise<void>) => {
  // Of a state that was restored nobody knows what the model was told.
  let told = (context['casement/widgetState'] ?? null) === null ? '{}' : undefined;
  return async (state) => {
    const params = toParams(toModelPart(state));
    const text = JSON.stringify(params);
    if (text === told || !isObject(capabilities['updateModelContext'])) return;
    told = text;
    // The state is kept by now; what the model hears is the host's to decide, and is in its recording.
    await line.request('ui/update-model-context', params).catch(() => undefined);
  };
};
