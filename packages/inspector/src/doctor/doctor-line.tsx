import './doctor.css';
import { toSummary } from './report-summary.js';
import { useInspector, useValue } from '../use-inspector.js';

/** How far the app is, in one line that is always there and leads to the State tab; said aloud when it changes. */
export const DoctorLine = () => {
  const { doctor, settings } = useInspector();
  const report = useValue(doctor);
  const summary = report && toSummary(report);
  return (
    <p className="doctor-line" role="status" aria-label="Doctor" data-tone={summary?.tone}>
      {summary && (
        <button
          type="button"
          className="link"
          onClick={() => settings.change({ tab: 'state', pane: 'inspect' })}
        >
          {summary.text}
        </button>
      )}
    </p>
  );
};
