import type { AppSnapshot, MountedApp } from '@casement/host';
import { useSyncExternalStore } from 'react';
import type { PermissionChoice } from './security/permissions.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

/** The app the right-hand side is about. */
export interface InspectedApp {
  readonly snapshot?: AppSnapshot | undefined;
  /** The name of its server. */
  readonly server?: string | undefined;
  readonly contextUpdates: number;
  /** Absent where permissions cannot be given. */
  readonly grant?: Pick<PermissionChoice, 'granted' | 'onGrant'>;
  readonly callAppTool: MountedApp['callAppTool'];
}

const nothing = () => () => undefined;

const useChatApp = () => {
  const { chat } = useInspector();
  const apps = useValue(chat)?.apps;
  return useSyncExternalStore(apps?.subscribe ?? nothing, () => apps?.getSnapshot().current);
};

/** The app on the stage or, in the chat, the one that was chosen there. */
export const useInspected = (): InspectedApp => {
  const { settings, shown, stage } = useInspector();
  const view = usePart(settings, (state) => state.view);
  const { snapshot, staged, history, grants } = useValue(shown);
  const chatApp = useChatApp();
  if (view === 'chat')
    return chatApp ?? { contextUpdates: 0, callAppTool: () => Promise.reject(new Error('No app is there.')) };
  return {
    snapshot,
    server: staged?.port.name,
    contextUpdates: history.contextUpdates,
    grant: { granted: grants, onGrant: stage.grant },
    callAppTool: stage.callAppTool,
  };
};
