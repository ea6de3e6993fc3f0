import type { AppPermission } from '@casement/protocol';
import type { SandboxPolicy } from '@casement/sandbox';

/** The approved domains and permissions in the words of the spec, for the proxy and for hostCapabilities.sandbox. */
export const toGranted = (
  policy: SandboxPolicy,
): {
  csp?: Record<string, string[]>;
  permissions?: Partial<Record<AppPermission, Record<string, never>>>;
} => ({
  ...(policy.declared
    ? {
        csp: {
          connectDomains: [...policy.connect],
          resourceDomains: [...policy.assets],
          frameDomains: [...policy.frame],
          baseUriDomains: [...policy.baseUri],
        },
      }
    : {}),
  ...(policy.permissions.length > 0
    ? { permissions: Object.fromEntries(policy.permissions.map((name) => [name, {}])) }
    : {}),
});
