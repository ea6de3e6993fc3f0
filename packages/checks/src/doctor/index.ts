export type { DoctorFinding, DoctorReport, DoctorStage, StageReport, Witness } from './report.js';
