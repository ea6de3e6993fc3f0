import './panels.css';

export { SecurityPanel } from './security/security-panel.js';
export type { PermissionChoice } from './security/permissions.js';
export { isSurvived } from './security/survived-eval.js';
export type { CspReport } from './security/violation-groups.js';
export { StatePanel } from './state/state-panel.js';
export { TimelinePanel } from './timeline/timeline-panel.js';
