import { createOpenAiTransport, readOpenAi } from './openai-transport.js';
import { createParentTransport, type ParentTransportOptions } from './parent-transport.js';
import { createStandaloneTransport } from './standalone-transport.js';
import type { Transport } from '../session/wire-types.js';

/** The ways to a host: the protocol itself, `window.openai`, or a page on its own. */
export const adapterNames = ['ext-apps', 'openai', 'generic'] as const;
export type AdapterName = (typeof adapterNames)[number];

/** One way to a host. */
interface Adapter {
  readonly name: AdapterName;
  canHandle(): boolean;
  createTransport(options: ParentTransportOptions): Transport;
}

const adapters: readonly Adapter[] = [
  { name: 'ext-apps', canHandle: () => window.parent !== window, createTransport: createParentTransport },
  {
    name: 'openai',
    canHandle: () => readOpenAi() !== undefined,
    createTransport: () => createOpenAiTransport(),
  },
  { name: 'generic', canHandle: () => true, createTransport: createStandaloneTransport },
];

/**
 * Finds the named adapters that can work in this page, the likeliest first: a host that put `window.openai` into the
 * page wants it to be used, whereas a frame around the page says nothing yet.
 */
export const findAdapters = (names: readonly AdapterName[]): Adapter[] =>
  names
    .flatMap((name) => adapters.filter((adapter) => adapter.name === name && adapter.canHandle()))
    .sort((a, b) => Number(b.name === 'openai') - Number(a.name === 'openai'));
