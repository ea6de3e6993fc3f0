import type { MetadataFinding } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { ConsentChoice } from '@casement/protocol/consents';
import type { ReactNode } from 'react';
import { Section } from '../../parts/section.js';

/** The remembered choices of the user, and the callbacks that take them back. */
export interface RememberedProps {
  readonly choices: readonly ConsentChoice[];
  /** What of the memory could not be read. */
  readonly problems: readonly MetadataFinding[];
  /** The name of a server by its identity, if it is there now. */
  toServerName(identity: string): string | undefined;
  onTakeBack(choice: ConsentChoice): void;
  /** Throws away what could not be read. */
  onDiscard(): void;
}

const wishes = {
  link: 'open pages of',
  message: 'send messages as yours',
  download: 'save files',
  sampling: 'ask the model',
  'tool-call': 'call',
} as const;

const settings: Record<ConsentChoice['setting'], string> = {
  always: 'may call',
  never: 'may never call',
  ask: 'always asks before it calls',
};

const toWish = (kind: keyof typeof wishes, scope: string): string => {
  // The name of a tool stands after the hash of what it says of itself.
  const what = kind === 'tool-call' ? scope.slice(scope.indexOf(' ') + 1) : scope;
  return what === '' ? wishes[kind] : `${wishes[kind]} ${toPrintable(what, 120)}`;
};

const toCalled = ({ kind, scope, definition }: ConsentChoice): string => {
  const name = toPrintable(scope, 120);
  if (kind === 'tool') return name;
  // With a definition it is for the one tool that was described so.
  return definition === undefined ? `any tool of the app ${name}` : `a certain tool of the app ${name}`;
};

const Choice = ({
  name,
  onTakeBack,
  children,
}: {
  name: string;
  onTakeBack(): void;
  children: ReactNode;
}) => (
  <li>
    <span>{children}</span>
    <button type="button" className="small-button" aria-label={`Take back: ${name}`} onClick={onTakeBack}>
      Take back
    </button>
  </li>
);

const ChoiceLine = ({
  choice,
  server,
  onTakeBack,
}: {
  choice: ConsentChoice;
  server: string;
  onTakeBack(): void;
}) => {
  const { kind, scope, setting, definition } = choice;
  if (kind !== 'tool' && kind !== 'app') {
    const wish = toWish(kind, scope);
    return (
      <Choice name={`${server} may ${wish}`} onTakeBack={onTakeBack}>
        Apps of <strong>{server}</strong> may {wish} without asking
        {kind === 'tool-call' && ', as long as the tool describes itself the same'}.
      </Choice>
    );
  }
  const what = `${settings[setting]} ${toCalled(choice)}`;
  return (
    <Choice name={`the model ${what} of ${server}`} onTakeBack={onTakeBack}>
      The model {what} of <strong>{server}</strong>
      {setting === 'always' && ' without asking'}
      {definition !== undefined && ', as long as the tool describes itself the same'}.
    </Choice>
  );
};

/** What of the memory could not be read: it is kept, and said. */
const Unreadable = ({ problems, onDiscard }: Pick<RememberedProps, 'problems' | 'onDiscard'>) => (
  <div className="unreadable-choices" role="status">
    <ul className="finding-list">
      {problems.map(({ code, message, fix, path }) => (
        <li key={path}>
          <p>
            <code>{code}</code> {message}
          </p>
          <p>
            <strong>Fix:</strong> {fix}
          </p>
        </li>
      ))}
    </ul>
    <button type="button" className="small-button" onClick={onDiscard}>
      Discard what could not be read
    </button>
  </div>
);

/** The list of remembered choices, each with a button that takes it back. */
export const RememberedChoices = (props: RememberedProps) => {
  const { choices, problems, toServerName, onTakeBack, onDiscard } = props;
  const toName = (identity: string): string =>
    toPrintable(toServerName(identity) ?? `a server not in use (${identity})`, 60);
  return (
    <Section title={`Remembered choices (${choices.length})`}>
      {problems.length > 0 && <Unreadable problems={problems} onDiscard={onDiscard} />}
      {choices.length === 0 ? (
        <p className="panel-note">
          None: every link, message and download of an app, and every call that could do harm, is asked about.
        </p>
      ) : (
        <ul className="remembered-list">
          {choices.map((choice) => (
            <ChoiceLine
              key={JSON.stringify(choice)}
              choice={choice}
              server={toName(choice.server)}
              onTakeBack={() => onTakeBack(choice)}
            />
          ))}
        </ul>
      )}
    </Section>
  );
};
