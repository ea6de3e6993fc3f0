import type { AppPermission } from '@casement/protocol';

/** An answer to what an app asks to use. */
export type GrantAnswer = 'once' | 'always' | 'no';

/** Whom an answer is about: a document of a server, in one item or wherever it is shown. */
export interface GrantScope {
  readonly app: string;
  readonly item: string;
}

/** What the user said about what apps may use; kept as long as the page is there. */
export interface AppGrants {
  subscribe(listener: () => void): () => void;
  /** What was decided so far; another object after each answer. */
  get(): GrantDecisions;
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

/** What an app may use, if it declares it: what the user gave it, and nothing else (T8). */
export const toGrants = (decisions: GrantDecisions, scope: GrantScope): readonly AppPermission[] =>
  known.filter((permission) => readDecision(decisions, scope, permission) === true);

/** What an app declares and nobody decided about. */
export const toAsked = (
  decisions: GrantDecisions,
  scope: GrantScope,
  declared: readonly AppPermission[],
): readonly AppPermission[] =>
  known.filter(
    (permission) => declared.includes(permission) && readDecision(decisions, scope, permission) === undefined,
  );

/** Nothing is decided yet. */
export const createAppGrants = (): AppGrants => {
  const listeners = new Set<() => void>();
  let decisions: GrantDecisions = new Map();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => decisions,
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
