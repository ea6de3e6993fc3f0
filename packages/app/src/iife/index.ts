import { adapterNames, type AdapterName } from '../adapters.js';
import { AppError } from '../errors.js';
import { bridgeRuntime } from '../generated/bridge.js';
import type { BridgeConfig } from './config.js';

export type { AdapterName, BridgeConfig };

/** What a generated bridge can be told; nothing is required. */
export type BridgeOptions = Partial<BridgeConfig>;

/** Where the configuration goes in the bundled script. */
const PLACE = '__BRIDGE_CONFIG__';

const reject = (message: string): never => {
  throw new AppError('invalid-options', message);
};

const toConfig = (options: BridgeOptions): BridgeConfig => {
  const { adapters = adapterNames, trustedOrigins = [], global = 'FrontMcpBridge', mcpApp = true } = options;
  if (adapters.length === 0 || adapters.some((name) => !adapterNames.includes(name)))
    reject(`adapters must name some of ${adapterNames.join(', ')}.`);
  for (const origin of trustedOrigins)
    if (origin !== 'null' && (!URL.canParse(origin) || new URL(origin).origin !== origin))
      reject(`"${origin}" is not an origin: write it like https://sandbox.example.com.`);
  if (!/^[A-Za-z_$][\w$]*$/.test(global) || global === '__proto__')
    reject('global must be the name of a variable.');
  return { ...options, adapters, trustedOrigins, global, mcpApp };
};

/** Text that may stand in a script element whatever the values are. */
const toJson = (config: BridgeConfig): string =>
  JSON.stringify(config).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The bridge as one script to put into a page; runs anywhere, touches nothing. */
export const generateBridgeIIFE = (options: BridgeOptions = {}): string => {
  const json = toJson(toConfig(options));
  return bridgeRuntime.replace(PLACE, () => json);
};
