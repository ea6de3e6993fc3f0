import type { DoctorFinding, DoctorReport } from '@casement/checks/doctor';
import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { witnessWords } from '../doctor/stage-words.js';
import { isSurvived } from '../panels/security/violation-groups.js';
import { toByteSize } from '../parts/quantity.js';
import type { TabName } from '../address/view-settings.js';
import { useInspector, useValue } from '../use-inspector.js';

interface Note {
  text: string;
  tab: TabName;
  /** Only the app's own page says it. */
  isApps?: boolean;
}

const toCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const toFacts = ({ resource, address, size, epoch, prewarmed }: AppSnapshot): string[] => [
  ...(resource ? [`${resource.uri}`, toByteSize(resource.bytes)] : []),
  ...(size?.height === undefined ? [] : [`asks for ${Math.round(size.height)} px`]),
  `epoch ${epoch}${prewarmed ? ', pre-warmed' : ''}`,
  ...(address ? [address.appOrigin === 'null' ? 'opaque origin' : 'own origin'] : []),
];

/** What the doctor found that is more than a remark; until it is there, what the host found. */
const toFindings = ({ findings }: AppSnapshot, report: DoctorReport | undefined): readonly Finding[] =>
  report ? report.findings.filter(({ severity }) => severity !== 'note') : findings;

type Finding = Pick<DoctorFinding, 'message' | 'fix'> & { readonly witness?: DoctorFinding['witness'] };

const toNotes = (snapshot: AppSnapshot, report: DoctorReport | undefined): Note[] => {
  const { dropped } = snapshot;
  const blocked = snapshot.violations.filter((violation) => !isSurvived(violation, snapshot)).length;
  return [
    ...toFindings(snapshot, report).map(({ message, fix, witness }): Note => ({
      text: `${message} ${fix}`,
      tab: 'state',
      isApps: witness === 'app',
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
/** However much an app says of itself, there is room for what was seen of it. */
const maxApps = 4;

const chooseNotes = (notes: readonly Note[]): readonly Note[] => {
  const saidByApp = notes.filter(({ isApps }) => isApps).slice(0, maxApps);
  return notes.filter((note) => !note.isApps || saidByApp.includes(note)).slice(0, maxNotes);
};

/** One line of facts about the app, and a line for each thing its author should look at. */
export const StageNotes = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { settings, doctor } = useInspector();
  const report = useValue(doctor);
  const notes = toNotes(snapshot, report);
  const shown = chooseNotes(notes);
  if (notes.length === 0 && !snapshot.resource) return null;
  return (
    <div id="state" className="stage-notes">
      {notes.length > 0 && (
        <ul className="findings" aria-label="Findings about the app">
          {shown.map(({ text, tab, isApps }) => (
            <li key={text}>
              {toPrintable(text, 600)} {isApps && <span className="quiet">({witnessWords.app}) </span>}
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
          {notes.length > shown.length && <li className="quiet">and {notes.length - shown.length} more</li>}
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
