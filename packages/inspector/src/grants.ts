import { readToolUi, type AppPermission } from '@casement/protocol';
import type { Families } from './families.js';
import type { StagedCall } from './stage-types.js';

/** The permissions the user gave to the apps of a resource; kept for this page load alone. */
export interface Grants {
  of(call: StagedCall): readonly AppPermission[];
  set(call: StagedCall, permissions: readonly AppPermission[]): void;
}

const none: readonly AppPermission[] = [];

/** Creates the grants; an app has none until the user gives it some (T8). */
export const createGrants = (families: Families): Grants => {
  const given = new Map<string, readonly AppPermission[]>();
  const toKey = (call: StagedCall): string =>
    JSON.stringify([call.port.identity, readToolUi(call.tool, families.of(call)).resourceUri]);
  return {
    of: (call) => given.get(toKey(call)) ?? none,
    set: (call, permissions) => void given.set(toKey(call), permissions),
  };
};
