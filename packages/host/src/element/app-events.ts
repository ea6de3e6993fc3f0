import type { Recording } from '@casement/protocol';
import { isRecord } from '@casement/protocol/start';
import type { AppSnapshot } from '../core/state/app-snapshot.js';
import type { MountedApp, SessionOptions } from '../core/session-options.js';
import { tell } from './element-events.js';

/** Turns what a session shows into events; called with each change, it compares with the last one. */
export const createSnapshotEvents = (target: EventTarget, app: MountedApp): ((now: AppSnapshot) => void) => {
  let last = app.getSnapshot();
  return (now) => {
    const before = last;
    // A listener may change the session: the next comparison, inside this one, starts from here.
    last = now;
    const { size, status, epoch, appTools, displayMode: mode } = now;
    if (status === 'ready' && before.status !== 'ready') tell(target, 'mcp-app-initialized', { epoch });
    if (size && size !== before.size) tell(target, 'mcp-app-size-changed', size);
    if (mode !== before.displayMode) tell(target, 'mcp-app-display-mode-changed', { mode });
    if (appTools !== before.appTools) tell(target, 'mcp-app-tools-changed', { appTools });
  };
};

/** Creates what a session writes to: it fires the two events that nothing else tells, and passes all on to a recording. */
export const createHeardRecording = (
  target: EventTarget,
  recording: Recording | undefined,
): NonNullable<SessionOptions['recording']> => ({
  append(event) {
    const entry = recording?.append(event);
    const { dir, leg, raw } = event;
    if (!isRecord(raw)) return entry;
    if (leg === 'none' && raw.type === 'proxy-ready') tell(target, 'mcp-app-sandbox-proxy-ready', {});
    if (dir === 'out' && raw.method === 'ui/notifications/sandbox-resource-ready')
      tell(target, 'mcp-app-sandbox-resource-ready', {});
    return entry;
  },
});
