import type { ConsentKey } from '@casement/host';
import { toPrintable } from '../../printable-text.js';
import { Section } from '../parts/section.js';

/** What the user allowed for good, and how to take it back. */
export interface RememberedProps {
  readonly remembered: readonly ConsentKey[];
  /** The name of a server by its identity, if it is there now. */
  toServerName(identity: string): string | undefined;
  onTakeBack(key: ConsentKey): void;
}

const sentences: Record<ConsentKey['kind'], string> = {
  link: 'open pages of',
  message: 'send messages as yours',
  download: 'save files',
  sampling: 'ask the model',
};

const toText = ({ kind, scope }: ConsentKey): string =>
  scope === '' ? sentences[kind] : `${sentences[kind]} ${toPrintable(scope, 120)}`;

/** The list of what needs no question any more. */
export const RememberedChoices = ({ remembered, toServerName, onTakeBack }: RememberedProps) => (
  <Section title={`Remembered choices (${remembered.length})`}>
    {remembered.length === 0 ? (
      <p className="panel-note">None: every link, message and download of an app is asked about.</p>
    ) : (
      <ul className="remembered-list">
        {remembered.map((key) => {
          const server = toPrintable(toServerName(key.server) ?? `a server not in use (${key.server})`, 60);
          return (
            <li key={`${key.kind} ${key.server} ${key.scope}`}>
              <span>
                Apps of <strong>{server}</strong> may {toText(key)} without asking.
              </span>
              <button
                type="button"
                className="small-button"
                aria-label={`Take back: ${server} may ${toText(key)}`}
                onClick={() => onTakeBack(key)}
              >
                Take back
              </button>
            </li>
          );
        })}
      </ul>
    )}
  </Section>
);
