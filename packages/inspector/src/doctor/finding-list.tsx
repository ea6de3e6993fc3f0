import type { DoctorFinding } from '@casement/checks/doctor';
import { toPrintable } from '@casement/protocol/basics';
import { ShowSource } from '../source/show-source.js';
import { severityTitles, stageNames, witnessWords } from './stage-words.js';

const maxShown = 200;

const Finding = ({ finding, isFirst }: { finding: DoctorFinding; isFirst: boolean }) => {
  const { code, message, fix, path, place, stage, witness, severity } = finding;
  return (
    <li data-severity={severity}>
      <p>
        <code>{toPrintable(code, 60)}</code> {toPrintable(message, 600)}
      </p>
      <p>
        <strong>Fix:</strong> {toPrintable(fix, 900, { lines: 'keep' })}
      </p>
      <p className="panel-note">
        Stage {stageNames[stage]} · {witnessWords[witness]}
        {path !== undefined && (
          <>
            {' '}
            · at <code>{toPrintable(path, 300)}</code>
          </>
        )}
      </p>
      {place && <ShowSource place={place} atOnce={isFirst && severity === 'error'} />}
    </li>
  );
};

/** What the author of an app should change, the gravest first; of the first error the source is shown at once. */
export const FindingList = ({ findings }: { findings: readonly DoctorFinding[] }) => {
  const shown = findings.slice(0, maxShown);
  return (
    <>
      {severityTitles.map(([severity, title]) => {
        const some = shown.filter((finding) => finding.severity === severity);
        return (
          some.length > 0 && (
            <div key={severity} className="finding-group">
              <h4>
                {title} ({some.length})
              </h4>
              <ul className="finding-list" aria-label={title}>
                {some.map((finding, index) => (
                  <Finding key={`${index} ${finding.code}`} finding={finding} isFirst={index === 0} />
                ))}
              </ul>
            </div>
          )
        );
      })}
      {findings.length > maxShown && (
        <p className="panel-note">{findings.length - maxShown} more are not shown.</p>
      )}
    </>
  );
};
