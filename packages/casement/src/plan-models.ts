import type { ModelConfig } from '@casement/gateway';
import { CasementError } from '@casement/protocol/start';
import type { ServeRequest } from './parse-command-line.js';

/** The variables that say which models there are. */
export interface ModelEnvironment {
  readonly [name: string]: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly CASEMENT_MODEL_KEY?: string | undefined;
}

/** The variables that hold keys of models; no server's command inherits them. */
export const modelKeyNames = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'CASEMENT_MODEL_KEY'] as const;

const defaultModels = { openai: 'gpt-5-mini', anthropic: 'claude-sonnet-5' };

const refuse = (message: string, hint: string): CasementError =>
  new CasementError('bad-flag', message, { hint });

/** An empty variable counts as not set; a line break at its end came from the file that the shell read. */
const readKey = (value: string | undefined): string | undefined => value?.trim() || undefined;

const toLocal = (baseUrl: string, model: string, apiKey: string | undefined): ModelConfig => ({
  id: 'local',
  // The gateway refuses what is no address, without repeating it.
  label: URL.canParse(baseUrl) ? `${model} (${new URL(baseUrl).host})` : model,
  kind: 'openai-compatible',
  baseUrl,
  model,
  ...(apiKey !== undefined && { apiKey }),
});

const toOpenAi = (apiKey: string, model: string): ModelConfig => ({
  id: 'openai',
  label: `${model} (OpenAI)`,
  kind: 'openai-compatible',
  model,
  apiKey,
});

const toAnthropic = (apiKey: string, model: string): ModelConfig => ({
  id: 'anthropic',
  label: `${model} (Anthropic)`,
  kind: 'anthropic',
  model,
  apiKey,
});

/**
 * Which models the page may talk to: the one named by --model-url first, then those whose keys the environment holds.
 * Without any, the page has only the model that needs none.
 */
export const planModels = (
  { modelUrl, model }: Pick<ServeRequest, 'modelUrl' | 'model'>,
  environment: ModelEnvironment,
): ModelConfig[] => {
  const openAiKey = readKey(environment.OPENAI_API_KEY);
  const anthropicKey = readKey(environment.ANTHROPIC_API_KEY);
  // Without an address, the name says whose it is.
  const owner = model === undefined || modelUrl !== undefined ? undefined : ownerOf(model);
  if (owner !== undefined && (owner === 'openai' ? openAiKey : anthropicKey) === undefined) {
    throw refuse(
      `--model ${model} needs ${owner === 'openai' ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY'} in the environment`,
      'For a model of another server give its address with --model-url',
    );
  }
  if (modelUrl !== undefined && model === undefined) {
    throw refuse('--model-url needs --model too', 'Name the model as the server at that address does');
  }
  const nameOf = (provider: keyof typeof defaultModels): string =>
    (owner === provider ? model : undefined) ?? defaultModels[provider];
  const models = [
    ...(modelUrl !== undefined && model !== undefined
      ? [toLocal(modelUrl, model, readKey(environment.CASEMENT_MODEL_KEY))]
      : []),
    ...(openAiKey === undefined ? [] : [toOpenAi(openAiKey, nameOf('openai'))]),
    ...(anthropicKey === undefined ? [] : [toAnthropic(anthropicKey, nameOf('anthropic'))]),
  ];
  // The one that was named is the one a chat begins with.
  const named = model === undefined ? undefined : (owner ?? 'local');
  return models
    .map((one) => (one.id === named ? { ...one, isFirst: true } : one))
    .toSorted((a, b) => Number(b.id === named) - Number(a.id === named));
};

const ownerOf = (model: string): keyof typeof defaultModels =>
  /^claude/i.test(model) ? 'anthropic' : 'openai';
