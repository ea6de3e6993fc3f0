import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { parseJsonArguments } from '../parts/parse-json-arguments.js';
import { toPrintable } from '@casement/protocol/basics';
import type { ListedServer } from './server-list.js';
import { filterTools, toListedTools } from './tool-order.js';
import { ToolList } from './tool-list.js';
import { useInspector, useValue } from '../use-inspector.js';

/** The tools of the selected server, to be searched and chosen from. */
export const ToolSection = () => {
  const { workbench, settings, chat } = useInspector();
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
    if (settings.getSnapshot().view !== 'chat') return;
    const { text } = workbench.getSnapshot();
    const parsed = parseJsonArguments(text);
    chat.getSnapshot()?.suggest(server?.port.name, name, parsed.ok ? parsed.args : {});
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
        <p className="quiet empty">{toEmptyText(server, wanted)}</p>
      )}
    </section>
  );
};

const toEmptyText = (server: ListedServer | undefined, query: string): string => {
  if (!server) return 'No server is selected.';
  if (server.summary.status === 'connecting') return 'The server is starting…';
  if (server.summary.status !== 'ready') return 'No tools: the server is not running.';
  if (server.listing === 'waiting') return 'Reading the tools…';
  if (typeof server.listing === 'object')
    return `The tools could not be read: ${toPrintable(server.listing.problem, 300)}`;
  return query.trim() === '' ? 'The server offers no tools.' : 'No tool matches.';
};
