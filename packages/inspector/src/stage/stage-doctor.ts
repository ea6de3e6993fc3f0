/* What is said of the app around it; it comes with the first app. */
export { DoctorCard } from './doctor-card.js';
export { DoctorLine } from '../doctor/doctor-line.js';
export { StageNotes } from './stage-notes.js';
