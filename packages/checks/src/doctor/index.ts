export { diagnoseApp } from './diagnose-app.js';
export type { DoctorFacts } from './doctor-facts.js';
export { toErrorPlace, toFailureAdvice } from './failure-advice.js';
export type { DoctorFinding, DoctorReport, DoctorStage, StageReport, Witness } from './report.js';
