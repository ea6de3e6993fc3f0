import type { DoctorReport } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { isSurvived } from '../panels/security/violation-groups.js';
import { toByteSize } from '../parts/quantity.js';
import type { TabName } from '../address/view-settings.js';
import { useInspector, useValue } from '../use-inspector.js';

interface Note {
  text: string;
  tab: TabName;
}

const toCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const toFacts = ({ resource, address, size, epoch, prewarmed }: AppSnapshot): string[] => [
  ...(resource ? [`${resource.uri}`, toByteSize(resource.bytes)] : []),
  ...(size?.height === undefined ? [] : [`asks for ${Math.round(size.height)} px`]),
  `epoch ${epoch}${prewarmed ? ', pre-warmed' : ''}`,
  ...(address ? [address.appOrigin === 'null' ? 'opaque origin' : 'own origin'] : []),
];

/** What the doctor found that is more than a remark; until it is there, what the host found. */
const toFindings = ({ findings }: AppSnapshot, report: DoctorReport | undefined) =>
  report ? report.findings.filter(({ severity }) => severity !== 'note') : findings;

const toNotes = (snapshot: AppSnapshot, report: DoctorReport | undefined): Note[] => {
  const { dropped } = snapshot;
  const blocked = snapshot.violations.filter((violation) => !isSurvived(violation, snapshot)).length;
  return [
    ...toFindings(snapshot, report).map(({ message, fix }): Note => ({
      text: `${message} ${fix}`,
      tab: 'state',
    })),
    ...(blocked > 0
      ? [{ text: `The policy blocked ${toCount(blocked, 'load')}.`, tab: 'security' as const }]
      : []),
    ...(dropped > 0
      ? [{ text: `Dropped: ${toCount(dropped, 'message')} of the app.`, tab: 'timeline' as const }]
      : []),
  ];
};

const maxNotes = 6;

/** One line of facts about the app, and a line for each thing its author should look at. */
export const StageNotes = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { settings, doctor } = useInspector();
  const report = useValue(doctor);
  const notes = toNotes(snapshot, report);
  if (notes.length === 0 && !snapshot.resource) return null;
  return (
    <div id="state" className="stage-notes">
      {notes.length > 0 && (
        <ul className="findings" aria-label="Findings about the app">
          {notes.slice(0, maxNotes).map(({ text, tab }) => (
            <li key={text}>
              {toPrintable(text, 400)}{' '}
              <button
                type="button"
                className="link"
                aria-label={`Show ${tab}: ${toPrintable(text, 60)}`}
                onClick={() => settings.change({ tab, pane: 'inspect' })}
              >
                Show
              </button>
            </li>
          ))}
          {notes.length > maxNotes && <li className="quiet">and {notes.length - maxNotes} more</li>}
        </ul>
      )}
      {snapshot.resource && (
        <p className="stage-facts">
          {toFacts(snapshot).map((fact) => (
            <span key={fact}>{toPrintable(fact, 160)}</span>
          ))}
        </p>
      )}
    </div>
  );
};
