const maxTasks = 100;

/** The tasks a server began for one app: the only ones of that server the app may name. */
export interface ServerTaskIds {
  add(taskId: string): void;
  has(taskId: string): boolean;
}

/** Remembers the tasks a server began for one app; of very many the oldest are forgotten. */
export const createServerTaskIds = (): ServerTaskIds => {
  const ids = new Set<string>();
  return {
    add(taskId) {
      ids.add(taskId);
      for (const oldest of ids) {
        if (ids.size <= maxTasks) return;
        ids.delete(oldest);
      }
    },
    has: (taskId) => ids.has(taskId),
  };
};
