import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { filterTools, toListedTools } from '../tool-order.js';
import { ToolList } from './tool-list.js';
import { useInspector, useValue } from './use-inspector.js';

/** The tools of the selected server, to be searched and chosen from. */
export const ToolSection = () => {
  const { workbench, settings } = useInspector();
  const { server, toolName } = useValue(workbench);
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query);
  const list = useRef<HTMLDivElement>(null);
  const tools = server?.tools;
  const found = useMemo(() => filterTools(toListedTools(tools ?? []), wanted), [tools, wanted]);
  const choose = (index: number): void => {
    const name = found[index]?.tool.name;
    if (name === undefined) return;
    workbench.selectTool(name);
    settings.change({ pane: 'app' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') list.current?.focus();
    else if (event.key === 'Enter') choose(0);
    else return;
    event.preventDefault();
  };
  return (
    <section className="tools" aria-labelledby="tools-title">
      <div className="line">
        <h2 id="tools-title">Tools</h2>
        <span className="quiet" role="status">
          {wanted.trim() === '' ? found.length || '' : `${found.length} of ${tools?.length ?? 0}`}
        </span>
      </div>
      <input
        type="search"
        aria-label="Search tools"
        placeholder="Search tools"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {found.length > 0 ? (
        <ToolList ref={list} tools={found} selected={toolName} onChoose={choose} />
      ) : (
        <p className="quiet empty">{toEmptyText(server?.summary.status, wanted)}</p>
      )}
    </section>
  );
};

const toEmptyText = (status: string | undefined, query: string): string => {
  if (status === 'connecting') return 'The server is starting…';
  if (status !== 'ready') return 'No tools: the server is not running.';
  return query.trim() === '' ? 'The server offers no tools.' : 'No tool matches.';
};
