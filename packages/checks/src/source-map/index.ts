export { examineSource, type SourceOutcome, type SourceTask } from './examine-source.js';
export type { FoundSource, SourceLine } from './lines.js';
export type { SourceRefusal } from './refusal.js';
export { readStackPlaces } from './stack-places.js';
