import { adapterNames } from '../transports/adapters.js';
import { AppError } from '../session/errors.js';
import { bridgeRuntime } from '../generated/bridge.js';
import type { BridgeConfig } from './config.js';

/** The settings of a generated bridge; none is required. */
export type BridgeOptions = Partial<BridgeConfig>;

/** The place of the configuration in the bundled script. */
const PLACE = '__BRIDGE_CONFIG__';

/** Properties of every window that cannot be set: to try throws, or leaves the page. */
const takenNames = new Set(['__proto__', 'window', 'document', 'location', 'top']);

const reject = (message: string): never => {
  throw new AppError('invalid-options', message);
};

const toConfig = (options: BridgeOptions): BridgeConfig => {
  const { adapters = adapterNames, trustedOrigins = [], global = 'FrontMcpBridge', mcpApp = true } = options;
  const { timeoutMs } = options;
  if (
    !Array.isArray(adapters) ||
    adapters.length === 0 ||
    adapters.some((name) => !adapterNames.includes(name))
  )
    reject(`adapters must name some of ${adapterNames.join(', ')}.`);
  if (!Array.isArray(trustedOrigins)) reject('trustedOrigins must be a list.');
  for (const origin of trustedOrigins)
    if (origin !== 'null' && (!URL.canParse(origin) || new URL(origin).origin !== origin))
      reject(`"${origin}" is not an origin: write it like https://sandbox.example.com.`);
  if (!/^[A-Za-z_$][\w$]*$/.test(global) || takenNames.has(global))
    reject('global must be the name of a variable that a page may set.');
  if (mcpApp && global === 'mcpApp')
    reject('window.mcpApp is the older object: give another global, or mcpApp: false.');
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0))
    reject('timeoutMs must be a number of milliseconds.');
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
