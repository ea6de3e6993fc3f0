import { readToolUi, type AppPermission } from '@casement/protocol';
import type { StagedCall } from './stage-types.js';

/** The permissions the user gave to the apps of a resource; kept for this page load alone. */
export interface Grants {
  of(call: StagedCall): readonly AppPermission[];
  set(call: StagedCall, permissions: readonly AppPermission[]): void;
}

const none: readonly AppPermission[] = [];

/** Creates the grants; an app has none until the user gives it some (T8). */
export const createGrants = (): Grants => {
  const given = new Map<string, readonly AppPermission[]>();
  const toKey = ({ port, tool }: StagedCall): string =>
    JSON.stringify([port.identity, readToolUi(tool).resourceUri]);
  return {
    of: (call) => given.get(toKey(call)) ?? none,
    set: (call, permissions) => void given.set(toKey(call), permissions),
  };
};
