import type { AdapterName } from '../transports/adapters.js';
import type { AppCapabilities, Implementation } from '../session/types.js';

/** The configuration that is written into the script. */
export interface BridgeConfig {
  readonly adapters: readonly AdapterName[];
  readonly trustedOrigins: readonly string[];
  readonly global: string;
  readonly mcpApp: boolean;
  readonly appInfo?: Implementation | undefined;
  readonly capabilities?: AppCapabilities | undefined;
  readonly timeoutMs?: number | undefined;
}
