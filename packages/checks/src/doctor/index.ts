export { diagnoseApp } from './diagnose-app.js';
export type { AppFacts, DoctorFacts, ServerFacts } from './doctor-facts.js';
export { toErrorPlace, toFailureAdvice, type FailureAdvice } from './failure-advice.js';
export type { DoctorFinding, DoctorReport, DoctorStage, StageReport, Witness } from './report.js';
