export { defaultBudget, type SourceMapBudget } from './budget.js';
export { examineSource, type ScriptPlace, type SourceOutcome, type SourceTask } from './examine-source.js';
export type { FoundSource, SourceLine } from './lines.js';
export { readStackPlaces, type StackPlace } from './stack-places.js';
export type { SourceRefusal, SourceRefusalCode } from './refusal.js';
