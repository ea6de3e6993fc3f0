import { CasementError } from '@casement/protocol/start';

/** The API that a model's provider speaks. */
export type ModelKind = 'openai-compatible' | 'anthropic';

/** A model the page may talk to; the key stays in the gateway. */
export interface ModelConfig {
  /** The id under which the page asks for it. */
  id: string;
  /** What people read. */
  label: string;
  kind: ModelKind;
  /** Where the provider's API begins, like http://localhost:11434/v1. Default: the kind's own provider. */
  baseUrl?: string;
  /** The provider's name for it. */
  model: string;
  /** Local servers need none. */
  apiKey?: string;
  /** The user named it: a chat begins with it. */
  isFirst?: boolean;
}

/** What the page may know of a model. */
export type ModelSummary = Pick<ModelConfig, 'id' | 'label' | 'kind' | 'isFirst'>;

/** Picks what the page may know of a model. */
export const toModelSummary = ({ id, label, kind, isFirst }: ModelConfig): ModelSummary => ({
  id,
  label,
  kind,
  ...(isFirst ? { isFirst } : {}),
});

const defaultBases: Readonly<Record<ModelKind, string>> = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/** The address of the API of a model's provider. */
export const toModelBase = ({ kind, baseUrl }: ModelConfig): string =>
  (baseUrl ?? defaultBases[kind]).replace(/(?<!\/)\/+$/, '');

const refuse = (message: string): CasementError => new CasementError('bad-flag', message);

/** None of these sentences repeats an address or a key: either may be the secret. */
const checkModelConfig = (config: ModelConfig): void => {
  const { id, model, kind, apiKey } = config;
  if (!/^[\w.:/@-]{1,200}$/.test(id))
    throw refuse('A model is named by letters, digits and any of "_.:/@-".');
  if (model === '') throw refuse(`The model "${id}" has no name at its provider.`);
  const base = toModelBase(config);
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refuse(`The address of the model "${id}" is not a complete one of http or https.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw refuse(
      `The address of the model "${id}" has a user name, query or fragment: give the key by itself.`,
    );
  }
  if (apiKey === undefined) {
    if (kind === 'anthropic') throw refuse(`The model "${id}" needs a key.`);
  } else if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    // A key that no header can carry would come back in the text of an error.
    throw refuse(`The key of the model "${id}" is empty or has characters that no key has.`);
  }
};

/** Checks the models of a gateway's options and returns them by id; throws for a bad one. */
export const parseModels = (configs: readonly ModelConfig[]): ReadonlyMap<string, ModelConfig> => {
  const models = new Map<string, ModelConfig>();
  for (const config of configs) {
    checkModelConfig(config);
    if (models.has(config.id)) throw refuse(`Two models have the id "${config.id}".`);
    models.set(config.id, config);
  }
  return models;
};
