import type { AdapterName } from '../adapters.js';
import type { AppCapabilities, Implementation } from '../types.js';

/** What the script is told when it is generated. */
export interface BridgeConfig {
  readonly adapters: readonly AdapterName[];
  readonly trustedOrigins: readonly string[];
  readonly global: string;
  readonly mcpApp: boolean;
  readonly appInfo?: Implementation | undefined;
  readonly capabilities?: AppCapabilities | undefined;
  readonly timeoutMs?: number | undefined;
}
