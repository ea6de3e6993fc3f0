import { toPrintable } from '@casement/protocol/basics';
import type { ListedServer } from './server-list.js';
import { ServerDetail } from './server-detail.js';
import { useInspector, useValue } from '../use-inspector.js';
import { useRovingList } from '../parts/use-roving-list.js';

const toCount = ({ summary, tools, listing }: ListedServer): string => {
  if (summary.status !== 'ready') return summary.status;
  if (listing === 'waiting') return 'reading…';
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
};

/** The servers with their state; the selected one with what it wrote and a way to start it anew. */
export const ServerSection = () => {
  const { workbench } = useInspector();
  const { servers, serverName, server } = useValue(workbench);
  const selected = servers.findIndex(({ summary }) => summary.name === serverName);
  const choose = (index: number): void => {
    const name = servers[index]?.summary.name;
    if (name !== undefined) workbench.selectServer(name);
  };
  const list = useRovingList(servers.length, selected, choose);
  return (
    <section className="servers" aria-labelledby="servers-title">
      <h2 id="servers-title">Servers</h2>
      {servers.length === 0 ? (
        <p className="quiet">No server yet.</p>
      ) : (
        <ul
          role="listbox"
          aria-labelledby="servers-title"
          tabIndex={0}
          aria-activedescendant={list.active < 0 ? undefined : `server-${list.active}`}
          onKeyDown={list.onKeyDown}
        >
          {servers.map((one, index) => (
            <li
              key={one.summary.name}
              id={`server-${index}`}
              role="option"
              aria-selected={index === selected}
              data-active={index === list.active || undefined}
              onClick={() => choose(index)}
            >
              <span className="dot" data-status={one.summary.status} aria-hidden="true" />
              <span className="name">{toPrintable(one.port.name, 80)}</span>
              <span className="quiet">{toCount(one)}</span>
            </li>
          ))}
        </ul>
      )}
      {server && <ServerDetail key={server.summary.name} summary={server.summary} />}
    </section>
  );
};
