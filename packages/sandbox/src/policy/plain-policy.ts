import { isRecord } from '@casement/protocol/start';
import { appFamilies } from '../families/app-families.js';
import type { SandboxPolicyInput } from './create-sandbox-policy.js';
import { isOrigin } from './origin.js';
import { encodePolicy } from './sandbox-address.js';
import { appPermissions, MAX_POLICY_LENGTH, type SandboxPolicy } from './sandbox-policy.js';

/**
 * The policy of an app that declares no domains, without the code that judges them. Undefined for one that does, and
 * wherever there is anything to refuse: then `createSandboxPolicy` decides, and says why.
 */
export const createPlainPolicy = (
  input: SandboxPolicyInput,
): { policy: SandboxPolicy; dropped: never[] } | undefined => {
  const { hostOrigin, server, resourceUri, family, csp, permissions } = input;
  const isPlain =
    declaresNone(csp) &&
    [input.domain, input.eval, input.without].every((value) => value === undefined) &&
    [hostOrigin, ...(input.denyOrigins ?? [])].every(isOrigin) &&
    /^[\w-]{1,128}$/.test(server) &&
    // Surrogate halves do not survive UTF-8, so two policies could share one label.
    /^ui:\/\/\P{Surrogate}*$/u.test(resourceUri) &&
    resourceUri.length <= 2048 &&
    appFamilies.includes(family);
  if (!isPlain) return undefined;
  const policy: SandboxPolicy = {
    v: 1,
    host: hostOrigin,
    server,
    resource: resourceUri,
    family,
    declared: isRecord(csp),
    connect: [],
    assets: [],
    frame: [],
    baseUri: [],
    permissions: appPermissions.filter((name) => permissions?.includes(name)),
  };
  return encodePolicy(policy).length > MAX_POLICY_LENGTH ? undefined : { policy, dropped: [] };
};

/** Whether there is no csp object, or one whose lists are all absent or empty. */
const declaresNone = (csp: unknown): boolean => {
  try {
    return csp === undefined || csp === null || (isRecord(csp) && Object.values(csp).every(isEmpty));
  } catch {
    // A getter or proxy object in a hand-made declaration; JSON never brings one.
    return false;
  }
};

const isEmpty = (list: unknown): boolean =>
  list === undefined || list === null || (Array.isArray(list) && list.length === 0);
