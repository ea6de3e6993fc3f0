import type { EntryDraft } from '@casement/gateway';
import { useState } from 'react';
import type { ServerDialog } from '../servers/server-entries.js';
import { EntryFields } from './entry-fields.js';
import { toEntryRequests } from './entry-requests.js';
import type { EntryForm, FormProblems } from './entry-form.js';
import { emptyForm, readForm } from './entry-form.js';
import { Failure, Modal } from './modal.js';
import type { ReadConfig } from './paste-config.js';
import { PasteConfig } from './paste-config.js';
import { useInspector } from '../use-inspector.js';

const ways = { stdio: 'Command', http: 'Address', paste: 'mcp.json' } as const;
type Way = keyof typeof ways;

const noConfig: ReadConfig = { drafts: [], leftOut: new Set() };

/** Adds servers by a command, an address or a config. They are kept; what they run is asked about next. */
export const AddDialog = ({ dropped }: Pick<Extract<ServerDialog, { kind: 'add' }>, 'dropped'>) => {
  const inspector = useInspector();
  const { entries, workbench, settings } = inspector;
  const [way, setWay] = useState<Way>(dropped ? 'paste' : 'stdio');
  const [forms, setForms] = useState<Record<EntryForm['kind'], EntryForm>>({
    stdio: emptyForm('stdio'),
    http: emptyForm('http'),
  });
  const [text, setText] = useState('');
  const [config, setConfig] = useState(noConfig);
  const [problems, setProblems] = useState<FormProblems>({});
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const close = (): void => entries.dialog.set(undefined);
  const wanted = config.drafts.filter(({ name }) => !config.leftOut.has(name));

  const hand = async (drafts: EntryDraft[]): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const names = (await toEntryRequests(inspector).add(drafts)).map(({ name }) => name);
      const [first] = names;
      if (first !== undefined) workbench.selectServer(first);
      settings.change({ pane: 'tools' });
      entries.dialog.set({ kind: 'confirm', names });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const submit = (): void => {
    if (isBusy) return;
    if (way === 'paste') {
      if (wanted.length > 0) void hand(wanted);
      return;
    }
    const read = readForm(forms[way]);
    setProblems(read.ok ? {} : read.problems);
    if (read.ok) void hand([read.draft]);
  };
  return (
    <Modal title="Add a server" onClose={close}>
      <form
        className="entry-body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div className="entry-scroll">
          <div className="segments" role="group" aria-label="How it is reached">
            {(Object.keys(ways) as Way[]).map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === way}
                onClick={() => {
                  setWay(name);
                  setProblems({});
                  setError(undefined);
                }}
              >
                {ways[name]}
              </button>
            ))}
          </div>
          {way === 'paste' ? (
            <PasteConfig file={dropped} text={text} read={config} onText={setText} onRead={setConfig} />
          ) : (
            <EntryFields
              key={way}
              form={forms[way]}
              problems={problems}
              isNamed={false}
              onChange={(form) => setForms({ ...forms, [form.kind]: form })}
              onSubmit={submit}
            />
          )}
          <Failure error={error} />
        </div>
        <div className="actions end">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className="primary"
            disabled={isBusy || (way === 'paste' && wanted.length === 0)}
          >
            {way === 'paste' && wanted.length > 1 ? `Continue with ${wanted.length} servers` : 'Continue'}
          </button>
        </div>
      </form>
    </Modal>
  );
};
