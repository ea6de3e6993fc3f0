import type { StoredItem } from '@casement/gateway';
import { useEffect, useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { toByteSize } from '../parts/quantity.js';
import { toEntryRequests } from './entry-requests.js';
import { Failure, Modal } from './modal.js';
import { forgetPageItems, listPageItems, type PageItem } from './page-storage.js';
import { useInspector } from '../use-inspector.js';

/** One row of the list: what it is in plain words, where it is, and how it is named when it is to be deleted. */
interface Row {
  readonly id: string;
  readonly title: string;
  readonly where: string;
  readonly note: string;
  readonly bytes: number;
  readonly canGo: boolean;
}

const fileTitles: Readonly<Record<string, string>> = {
  servers: 'Servers that were added in the page',
  secrets: 'Secrets of servers',
  confirmations: 'What you agreed to run or reach',
  'sign-ins': 'Accounts you signed in to servers with',
  'sign-in key': 'The key of these accounts',
  salt: 'What identities of servers are made with',
  compiled: 'Compiled code of the command',
};

const toFileRow = ({ what, where, bytes, lasts }: StoredItem): Row => ({
  id: `file ${what}`,
  title: fileTitles[what] ?? toPrintable(what, 80),
  where: toPrintable(where, 400),
  note: toPrintable(lasts, 300),
  bytes,
  canGo: true,
});

const keyTitles: readonly (readonly [prefix: string, title: string])[] = [
  ['casement.arguments', 'Last arguments of tools'],
  ['casement.approvals', 'Remembered choices'],
  ['casement.consents', 'Remembered choices'],
  ['casement.tab-key', 'Access of this tab'],
];

const toKeyRow = ({ key, bytes, isOfTab }: PageItem): Row => ({
  id: `key ${key}`,
  title: keyTitles.find(([prefix]) => key.startsWith(prefix))?.[1] ?? 'Something of this page',
  where: `this browser, ${isOfTab ? 'this tab' : 'local storage'}, ${toPrintable(key, 80)}`,
  note: isOfTab ? 'until the tab is closed' : 'until you delete it',
  bytes,
  canGo: !isOfTab,
});

const toIds = (chosen: ReadonlySet<string>, kind: 'file ' | 'key '): string[] =>
  [...chosen].filter((id) => id.startsWith(kind)).map((id) => id.slice(kind.length));

/** What Casement keeps on this machine and in this browser, and a way to delete it. */
export const StoredDialog = () => {
  const inspector = useInspector();
  const { entries } = inspector;
  const [files, setFiles] = useState<readonly StoredItem[]>();
  const [keys, setKeys] = useState(listPageItems);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>();
  const [said, setSaid] = useState('');
  const close = (): void => entries.dialog.set(undefined);
  useEffect(() => {
    toEntryRequests(inspector).stored().then(setFiles, setError);
  }, [inspector]);
  const rows = [...(files ?? []).map(toFileRow), ...keys.map(toKeyRow)];
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const forget = async (): Promise<void> => {
    setError(undefined);
    try {
      const what = toIds(chosen, 'file ');
      if (what.length > 0) setFiles(await toEntryRequests(inspector).forget(what));
      forgetPageItems(toIds(chosen, 'key '));
      setKeys(listPageItems());
      setSaid(`Deleted: ${chosen.size}.`);
      setChosen(new Set());
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Modal title="What is stored" onClose={close}>
      <div className="entry-scroll" tabIndex={0} role="group" aria-label="What is stored, and where">
        {files === undefined && error === undefined && <p className="quiet">Looking…</p>}
        <ul className="stored">
          {rows.map(({ id, title, where, note, bytes, canGo }) => (
            <li key={`${id} ${where}`}>
              <label>
                <input
                  type="checkbox"
                  disabled={!canGo}
                  checked={chosen.has(id)}
                  onChange={() => toggle(id)}
                />
                <span>
                  <strong>{title}</strong> <span className="quiet">{toByteSize(bytes)}</span>
                  <br />
                  <code>{where}</code>
                  <br />
                  <span className="quiet">{note}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </div>
      <Failure error={error} />
      <p role="status" className="quiet">
        {said}
      </p>
      <div className="actions end">
        <button type="button" data-first onClick={close}>
          Close
        </button>
        <button type="button" className="primary" disabled={chosen.size === 0} onClick={() => void forget()}>
          {chosen.size === 0 ? 'Delete' : `Delete the chosen (${chosen.size})`}
        </button>
      </div>
    </Modal>
  );
};
