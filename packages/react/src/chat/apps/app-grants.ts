import type { AppPermission } from '@casement/protocol';

/** An answer to what an app asks to use. */
export type GrantAnswer = 'once' | 'always' | 'no';

/** What an answer covers: one app (a document of a server), or that app in one chat item only. */
export interface GrantScope {
  readonly app: string;
  readonly item: string;
}

/** The permissions that the user gave to apps or refused them. They are kept until the page is closed. */
export interface AppGrants {
  subscribe(listener: () => void): () => void;
  /** What was decided so far; another object after each answer. */
  getSnapshot(): GrantDecisions;
  decide(scope: GrantScope, permissions: readonly AppPermission[], answer: GrantAnswer): void;
}

type GrantDecisions = ReadonlyMap<string, boolean>;

const known: readonly AppPermission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite'];

const toKey = (permission: AppPermission, app: string, item?: string): string =>
  JSON.stringify([permission, app, item]);

const readDecision = (
  decisions: GrantDecisions,
  { item, app }: GrantScope,
  permission: AppPermission,
): boolean | undefined =>
  // What was said of the item itself is the more exact word.
  decisions.get(toKey(permission, app, item)) ?? decisions.get(toKey(permission, app));

/** The permissions that the user gave to an app. It gets each of them only if it declares it (T8). */
export const toGrants = (decisions: GrantDecisions, scope: GrantScope): readonly AppPermission[] =>
  known.filter((permission) => readDecision(decisions, scope, permission) === true);

/** The permissions that an app declares and the user has not decided about yet. */
export const toAsked = (
  decisions: GrantDecisions,
  scope: GrantScope,
  declared: readonly AppPermission[],
): readonly AppPermission[] =>
  known.filter(
    (permission) => declared.includes(permission) && readDecision(decisions, scope, permission) === undefined,
  );

/** Creates the page's memory of which permissions the user gave to which app; it is empty at first. */
export const createAppGrants = (): AppGrants => {
  const listeners = new Set<() => void>();
  let decisions: GrantDecisions = new Map();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => decisions,
    decide({ item, app }, permissions, answer) {
      const where = answer === 'always' ? undefined : item;
      decisions = new Map([
        ...decisions,
        ...permissions.map((permission) => [toKey(permission, app, where), answer !== 'no'] as const),
      ]);
      for (const listener of listeners) listener();
    },
  };
};
