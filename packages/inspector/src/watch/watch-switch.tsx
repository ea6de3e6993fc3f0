import { useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { useInspector, useValue } from '../use-inspector.js';

/** Has the files of the chosen server watched; a change shows its app anew. */
export const WatchSwitch = () => {
  const { workbench } = useInspector();
  const { server } = useValue(workbench);
  const [failure, setFailure] = useState('');
  // What the user wants, until the gateway has answered.
  const [wanted, setWanted] = useState<boolean>();
  const { name, watch } = server?.summary ?? {};
  const problems = watch?.problems ?? [];
  const said = [failure, ...problems.map(({ message, fix }) => `${message} ${fix}`)]
    .filter(Boolean)
    .join(' ');
  const set = async (isOn: boolean): Promise<void> => {
    setFailure('');
    setWanted(isOn);
    try {
      if (name !== undefined) await workbench.watch(name, isOn);
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setWanted(undefined);
    }
  };
  return (
    <>
      <label
        className="labelled"
        title={`On a change of the server's files, or of the app at an address, the app is shown anew.${watch ? ` Watched: ${toPrintable(watch.folders.join(', '), 300)}` : ''}`}
      >
        <input
          type="checkbox"
          checked={wanted ?? watch !== undefined}
          disabled={name === undefined}
          onChange={(event) => void set(event.target.checked)}
        />
        <span>Watch</span>
      </label>
      {said !== '' && (
        <p className="watch-problem" role="status">
          {toPrintable(said, 600)}
        </p>
      )}
    </>
  );
};
