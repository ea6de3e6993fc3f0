import type { DoctorReport } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import type { RecordingEntry } from '@casement/protocol';

/**
 * What a program that drives the page may rely on, besides `#stage[data-app-status][data-app-failure]`: the state of
 * the app on the stage, what the doctor says of it, and everything both legs said, the page's and the gateway's entries merged by time.
 */
export interface Automation {
  snapshot(): AppSnapshot | undefined;
  /** Nothing while no app was shown, and in the moment in which the doctor's code comes. */
  doctor(): DoctorReport | undefined;
  recording(): readonly RecordingEntry[];
}

declare global {
  interface Window {
    casement: Automation;
  }
}

/** Gives programs that drive the page `window.casement`. */
export const exposeAutomation = (automation: Automation): void => {
  window.casement = automation;
};
