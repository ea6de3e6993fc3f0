import { useEffect, useState } from 'react';
import { useInspector } from '../use-inspector.js';

const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Takes a config that is dropped anywhere on the page. Nothing of it runs: it is shown first. */
export const ConfigDrop = () => {
  const { entries } = useInspector();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const options = { signal: listening.signal };
    addEventListener(
      'dragover',
      (event) => {
        if (!hasFile(event) || !entries.client()) return;
        event.preventDefault();
        setOver(true);
      },
      options,
    );
    addEventListener('dragleave', (event) => event.relatedTarget === null && setOver(false), options);
    addEventListener(
      'drop',
      (event) => {
        setOver(false);
        if (!hasFile(event)) return;
        // A browser would open the file in place of the page.
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file && entries.client()) entries.dialog.set({ kind: 'add', dropped: file });
      },
      options,
    );
    return () => listening.abort();
  }, [entries]);
  return isOver ? <div className="drop-here">Drop an mcp.json to add its servers</div> : null;
};
