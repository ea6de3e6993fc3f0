import type { DoctorReport, DoctorStage, StageReport } from '@casement/checks/doctor';

const stages: readonly DoctorStage[] = [
  'found',
  'advertised',
  'read',
  'framed',
  'loaded',
  'handshake',
  'fed',
  'painted',
];

/** A report in which every stage passed but those that are given. */
export const toReport = (
  others: Partial<Record<DoctorStage, Partial<StageReport>>> = {},
  findings: DoctorReport['findings'] = [],
): DoctorReport => {
  const made = stages.map((stage): StageReport => ({
    stage,
    verdict: 'passed',
    witness: 'host',
    seen: `${stage}.`,
    ...others[stage],
  }));
  const failed = made.find(({ verdict }) => verdict === 'failed')?.stage;
  return { stages: made, ...(failed === undefined ? {} : { failed }), findings };
};
