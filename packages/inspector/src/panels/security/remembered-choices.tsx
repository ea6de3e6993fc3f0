import type { ConsentKey } from '@casement/host';
import type { StoredApproval } from '@casement/react/chat';
import type { ReactNode } from 'react';
import { toPrintable } from '@casement/protocol';
import { Section } from '../parts/section.js';

/** What the user allowed for good, and how to take it back. */
export interface RememberedProps {
  readonly remembered: readonly ConsentKey[];
  /** What was settled about calls of the model. */
  readonly approvals: readonly StoredApproval[];
  /** The name of a server by its identity, if it is there now. */
  toServerName(identity: string): string | undefined;
  onTakeBack(key: ConsentKey): void;
  onTakeBackApproval(approval: StoredApproval): void;
}

const sentences: Record<ConsentKey['kind'], string> = {
  link: 'open pages of',
  message: 'send messages as yours',
  download: 'save files',
  sampling: 'ask the model',
};

const toText = ({ kind, scope }: ConsentKey): string =>
  scope === '' ? sentences[kind] : `${sentences[kind]} ${toPrintable(scope, 120)}`;

const settings: Record<StoredApproval['setting'], string> = {
  always: 'may call',
  never: 'may never call',
  ask: 'always asks before it calls',
};

const toWhat = ({ kind, scope, definition }: StoredApproval): string => {
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

/** The list of what needs no question any more. */
export const RememberedChoices = (props: RememberedProps) => {
  const { remembered, approvals, toServerName, onTakeBack, onTakeBackApproval } = props;
  const toName = (identity: string): string =>
    toPrintable(toServerName(identity) ?? `a server not in use (${identity})`, 60);
  const count = remembered.length + approvals.length;
  return (
    <Section title={`Remembered choices (${count})`}>
      {count === 0 ? (
        <p className="panel-note">
          None: every link, message and download of an app, and every call that could do harm, is asked about.
        </p>
      ) : (
        <ul className="remembered-list">
          {remembered.map((key) => {
            const server = toName(key.server);
            return (
              <Choice
                key={`${key.kind} ${key.server} ${key.scope}`}
                name={`${server} may ${toText(key)}`}
                onTakeBack={() => onTakeBack(key)}
              >
                Apps of <strong>{server}</strong> may {toText(key)} without asking.
              </Choice>
            );
          })}
          {approvals.map((approval) => {
            const server = toName(approval.server);
            const what = `${settings[approval.setting]} ${toWhat(approval)}`;
            return (
              <Choice
                key={JSON.stringify(approval)}
                name={`the model ${what} of ${server}`}
                onTakeBack={() => onTakeBackApproval(approval)}
              >
                The model {what} of <strong>{server}</strong>
                {approval.setting === 'always' && ' without asking'}
                {approval.definition !== undefined && ', as long as the tool describes itself the same'}.
              </Choice>
            );
          })}
        </ul>
      )}
    </Section>
  );
};
