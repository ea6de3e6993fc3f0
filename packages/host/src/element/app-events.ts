import type { Recording, RecordingEvent } from '@casement/protocol';
import { isRecord } from '@casement/protocol/basics';
import type { AppSnapshot } from '../core/app-snapshot.js';
import type { MountedApp } from '../dom/mount-app-options.js';
import { tell } from './element-events.js';

/** Turns what a session shows into events; called with each change, it compares with the last one. */
export const createSnapshotEvents = (target: EventTarget, app: MountedApp): ((now: AppSnapshot) => void) => {
  let last = app.getSnapshot();
  return (now) => {
    const before = last;
    // A listener may change the session: the next comparison, inside this one, starts from here.
    last = now;
    const { appInfo, appCapabilities, size, status, epoch } = now;
    if (appInfo && appCapabilities && appInfo !== before.appInfo) {
      // The answer to ui/initialize is put together after this, so what a listener adds is in it.
      tell(target, 'mcp-app-initialize', { appInfo, appCapabilities });
    }
    if (status === 'ready' && before.status !== 'ready') tell(target, 'mcp-app-initialized', { epoch });
    if (size && size !== before.size) tell(target, 'mcp-app-size-changed', size);
  };
};

/** The recording with an ear: a few events are only seen in what a session writes down. */
export const toHeardRecording = (target: EventTarget, recording: Recording): Recording => ({
  append(event) {
    const entry = recording.append(event);
    hear(target, event);
    return entry;
  },
  entries: () => recording.entries(),
  subscribe: (listener) => recording.subscribe(listener),
  get evicted() {
    return recording.evicted;
  },
  toJsonl: () => recording.toJsonl(),
});

const hear = (target: EventTarget, { leg, dir, kind, raw }: RecordingEvent): void => {
  if (!isRecord(raw)) return;
  if (kind === 'lifecycle' && raw.type === 'proxy-ready') tell(target, 'mcp-app-sandbox-proxy-ready', {});
  if (leg !== 'app') return;
  if (dir === 'out' && raw.method === 'ui/notifications/sandbox-resource-ready') {
    tell(target, 'mcp-app-sandbox-resource-ready', {});
  }
  if (dir === 'in' && kind === 'request' && raw.method === 'ui/update-model-context') {
    tell(target, 'mcp-app-update-model-context', { params: raw.params });
  }
};
