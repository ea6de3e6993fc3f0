import { isRecord } from '@casement/protocol';

/** Whether a server says that tools may be called as tasks. */
export const takesTasks = (capabilities: unknown): boolean => {
  const path = ['tasks', 'requests', 'tools', 'call'];
  return isRecord(
    path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), capabilities),
  );
};
