import './failure.css';
import type { AppSnapshot } from '@casement/host';
import { AppCodeContext, toAppCode } from '../source/app-code.js';
import { useInspector, useValue } from '../use-inspector.js';
import { FailurePanel } from './failure-panel.js';
import { TroubleCard } from './trouble-card.js';

const Card = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const report = useValue(useInspector().doctor);
  const { failure, status } = snapshot;
  if (failure) return <FailurePanel failure={failure} snapshot={snapshot} report={report} />;
  if (!report || status === 'closed' || status === 'tearing-down') return null;
  return <TroubleCard report={report} snapshot={snapshot} />;
};

/** Over the app: what failed, or what is not as it should be while the app goes on. Nothing over a healthy one. */
export const DoctorCard = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { shown, stage } = useInspector();
  const { staged } = useValue(shown);
  return (
    <AppCodeContext value={staged && toAppCode(snapshot, staged, stage.fetchFromApp)}>
      <Card snapshot={snapshot} />
    </AppCodeContext>
  );
};
