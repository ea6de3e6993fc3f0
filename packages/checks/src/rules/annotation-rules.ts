import { isRecord } from '@casement/protocol/start';
import type { DoctorFinding } from '../doctor/report.js';

const shared = { stage: 'found', witness: 'host', path: 'annotations' } as const;

const howTo =
  'Add "annotations": { "readOnlyHint": true } if it only reads; otherwise { "readOnlyHint": false, "destructiveHint": true } or false.';

/** Whether hints say what a call does, and do not say two things. */
export const findAnnotationFaults = (tool: unknown): DoctorFinding[] => {
  if (!isRecord(tool)) return [];
  const annotations = isRecord(tool.annotations) ? tool.annotations : {};
  const { readOnlyHint, destructiveHint } = annotations;
  if (readOnlyHint === undefined && destructiveHint === undefined) {
    return [
      {
        ...shared,
        code: 'annotations-missing',
        severity: 'note',
        message:
          'The tool has no annotations: nothing says whether a call does harm, so hosts may ask before each.',
        fix: howTo,
      },
    ];
  }
  if (readOnlyHint === true && destructiveHint === true) {
    return [
      {
        ...shared,
        code: 'annotations-contradict',
        severity: 'warning',
        message: 'The tool says that it only reads (readOnlyHint) and that it may destroy (destructiveHint).',
        fix: 'Remove "destructiveHint": true if it only reads; otherwise write "readOnlyHint": false.',
      },
    ];
  }
  return [];
};
