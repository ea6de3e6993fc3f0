import type { DoctorReport } from '@casement/checks/doctor';
import type { AppSnapshot, MountedApp } from '@casement/host';
import { useMemo, useSyncExternalStore } from 'react';
import type { ChatApp } from '../chat/chat-apps.js';
import { toNamedExaminedApp } from '../doctor/examined-app.js';
import type { PermissionChoice } from './security/permissions.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

/** The app the right-hand side is about. */
export interface InspectedApp {
  readonly snapshot?: AppSnapshot | undefined;
  /** What the doctor says of it, once its code is there. */
  readonly report?: DoctorReport | undefined;
  /** The name of its server. */
  readonly server?: string | undefined;
  readonly contextUpdates: number;
  /** Absent where permissions cannot be given. */
  readonly grant?: Pick<PermissionChoice, 'granted' | 'onGrant'>;
  readonly callAppTool: MountedApp['callAppTool'];
  readonly fetchFromApp?: MountedApp['fetchFromApp'];
}

const nothing = () => () => undefined;

const useChatApp = () => {
  const { chat } = useInspector();
  const apps = useValue(chat)?.apps;
  return useSyncExternalStore(apps?.subscribe ?? nothing, () => apps?.getSnapshot().current);
};

/** What the doctor says of an app of the chat. */
const useChatReport = (app: ChatApp | undefined): DoctorReport | undefined => {
  const { doctor, workbench, reports } = useInspector();
  const { servers } = useValue(workbench);
  const blocked = useValue(reports);
  // Told when its code has come.
  const ofStage = useValue(doctor);
  return useMemo(() => {
    return app && doctor.examine(toNamedExaminedApp(app, { servers, reports: blocked }));
  }, [app, servers, blocked, ofStage, doctor]);
};

/** The app on the stage or, in the chat, the one that was chosen there. */
export const useInspected = (): InspectedApp => {
  const { settings, shown, stage, doctor } = useInspector();
  const view = usePart(settings, (state) => state.view);
  const { snapshot, staged, history, grants } = useValue(shown);
  const report = useValue(doctor);
  const chatApp = useChatApp();
  const chatReport = useChatReport(view === 'chat' ? chatApp : undefined);
  if (view === 'chat')
    return chatApp
      ? { ...chatApp, report: chatReport }
      : { contextUpdates: 0, callAppTool: () => Promise.reject(new Error('No app is there.')) };
  return {
    snapshot,
    report,
    server: staged?.port.name,
    contextUpdates: history.contextUpdates,
    grant: { granted: grants, onGrant: stage.grant },
    callAppTool: stage.callAppTool,
    fetchFromApp: stage.fetchFromApp,
  };
};
