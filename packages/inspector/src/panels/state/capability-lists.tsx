import type { ServerSummary } from '@casement/gateway';
import type { AppSnapshot } from '@casement/host';
import { toPrintable } from '@casement/protocol/basics';
import { toOpenaiMethods } from '@casement/sandbox';
import { useMemo } from 'react';
import { Facts, Section } from '../../parts/section.js';
import { toCapabilityFacts } from './state-facts.js';

const toProgram = (server: ServerSummary | undefined): string => {
  const { serverInfo, protocolVersion } = server ?? {};
  const name = serverInfo
    ? `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`
    : (server?.name ?? '');
  return toPrintable(protocolVersion === undefined ? name : `${name}, revision ${protocolVersion}`, 200);
};

const List = ({ title, note, value }: { title: string; note: string; value: unknown }) => {
  // Once per value: the panel is drawn anew with every message of the app.
  const facts = useMemo(() => toCapabilityFacts(value), [value]);
  return (
    <div className="capability-list">
      <h4>{title}</h4>
      <p className="panel-note">{value === undefined ? 'Not said yet' : note}</p>
      {value !== undefined && facts.length === 0 && <p>None</p>}
      <ul>
        {facts.map(([name, said]) => (
          <li key={name}>
            <code>{name}</code>
            {said !== 'yes' && <span> {said}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
};

/** What each of the three said it can do. */
export const CapabilityLists = ({
  snapshot,
  server,
}: {
  snapshot?: AppSnapshot | undefined;
  server?: ServerSummary | undefined;
}) => (
  <Section title="Capabilities">
    <div className="capability-lists">
      <List title="Host" note="told to the app" value={snapshot?.hostCapabilities} />
      <List title="App" note="told to the host" value={snapshot?.appCapabilities} />
      <List title="Server" note={toProgram(server)} value={server?.capabilities} />
    </div>
  </Section>
);

/** What a widget finds in window.openai with this host, and what it does not: withheld methods are undefined. */
export const WidgetMethods = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { resource, hostCapabilities, hostContext } = snapshot;
  if (resource?.family !== 'openai' || !hostCapabilities) return null;
  const { offered, withheld } = toOpenaiMethods({ hostCapabilities, hostContext });
  return (
    <Section
      title="window.openai"
      note="Widgets look before they call: what this host does not offer is undefined there."
    >
      <Facts
        rows={[
          ['Offered', <code key="offered">{offered.join(', ')}</code>],
          ['Withheld', <code key="withheld">{withheld.join(', ')}</code>],
        ]}
      />
    </Section>
  );
};
