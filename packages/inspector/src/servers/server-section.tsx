import type { EntryProblem } from '@casement/gateway';
import type { KeyboardEvent } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { lazy } from 'react';
import type { ListedServer } from './server-list.js';
import { toStatusWords } from './server-list.js';
import { LatePart } from '../parts/late-part.js';
import { ServerDetail } from './server-detail.js';
import { useInspector, useValue } from '../use-inspector.js';
import { useRovingList } from '../parts/use-roving-list.js';

const toCount = ({ summary, tools, listing }: ListedServer): string => {
  if (summary.status !== 'ready') return toStatusWords(summary);
  if (listing === 'waiting') return 'reading…';
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
};

const SignInPanel = lazy(async () => ({
  default: (await import('../sign-in/sign-in-panel.js')).SignInPanel,
}));

const toPlace = ({ file, line, column }: Pick<EntryProblem, 'file' | 'line' | 'column'>): string =>
  [file, line && `line ${line}`, column && `column ${column}`].filter(Boolean).join(', ') + ':';

/** The servers with their state; the selected one with what it wrote and a way to start it anew. */
export const ServerSection = () => {
  const { workbench, entries, gateway } = useInspector();
  const { servers, serverName, server } = useValue(workbench);
  const isConnected = useValue(gateway) !== undefined;
  const { problems } = useValue(entries);
  const waiting = servers.map(({ summary }) => summary).filter(({ status }) => status === 'unconfirmed');
  const selected = servers.findIndex(({ summary }) => summary.name === serverName);
  const choose = (index: number): void => {
    const name = servers[index]?.summary.name;
    if (name !== undefined) workbench.selectServer(name);
  };
  const list = useRovingList(servers.length, selected, choose);
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const name = servers[list.active]?.summary.name;
    if (!event.altKey || by === undefined || name === undefined) return list.onKeyDown(event);
    event.preventDefault();
    void workbench.moveServer(name, by);
    list.setActive(list.active + by);
  };
  return (
    <section className="servers" aria-labelledby="servers-title">
      <div className="line">
        <h2 id="servers-title">Servers</h2>
        <button
          type="button"
          className="small"
          disabled={!isConnected}
          onClick={() => entries.dialog.set({ kind: 'add' })}
        >
          Add a server
        </button>
      </div>
      {problems.map(({ message, file, line, column }) => (
        <p key={`${file} ${line} ${message}`} role="alert" className="warn-text">
          {toPrintable(toPlace({ file, line, column }), 300)} {toPrintable(message, 400)}
        </p>
      ))}
      {waiting.length > 1 && (
        <div className="line waiting">
          <p className="wrap">{waiting.length} servers wait for your yes.</p>
          <button
            type="button"
            className="small"
            onClick={() => entries.dialog.set({ kind: 'confirm', names: waiting.map(({ name }) => name) })}
          >
            Look at them
          </button>
        </div>
      )}
      {servers.length === 0 ? (
        <p className="quiet">No server yet: add one by a command, an address or an mcp.json.</p>
      ) : (
        <ul
          role="listbox"
          aria-labelledby="servers-title"
          tabIndex={0}
          aria-activedescendant={list.active < 0 ? undefined : `server-${list.active}`}
          onKeyDown={onKeyDown}
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
      {server && <ServerDetail key={server.summary.name} summary={server.summary} tools={server.tools} />}
      {server?.summary.signIn && (
        <LatePart name="the sign-in">
          <SignInPanel key={server.summary.name} summary={server.summary} />
        </LatePart>
      )}
    </section>
  );
};
