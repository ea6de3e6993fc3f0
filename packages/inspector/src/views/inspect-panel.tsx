import { useState } from 'react';
import { SecurityPanel, StatePanel, TimelinePanel } from '../panels/index.js';
import type { TabName } from '../view-settings.js';
import { useInspector, usePart, useValue } from './use-inspector.js';

const State = () => {
  const { shown, workbench } = useInspector();
  const { snapshot, staged } = useValue(shown);
  const { servers, server } = useValue(workbench);
  // The server of what is on the stage, which need not be the one that is selected.
  const shownServer = staged ? servers.find(({ summary }) => summary.name === staged.port.name) : server;
  return <StatePanel snapshot={snapshot} server={shownServer?.summary} />;
};

const Security = () => {
  const { shown, reports } = useInspector();
  const { snapshot } = useValue(shown);
  return <SecurityPanel snapshot={snapshot} reports={useValue(reports)} />;
};

/** The panel of a tab, with its part of the model. */
export const InspectPanel = ({ tab }: { tab: TabName }) => {
  const { recording, settings } = useInspector();
  const filter = usePart(settings, (view) => view.filter);
  const [selected, setSelected] = useState<string>();
  if (tab === 'state') return <State />;
  if (tab === 'security') return <Security />;
  return (
    <TimelinePanel
      recording={recording}
      query={filter}
      onQueryChange={(next) => settings.change({ filter: next })}
      selected={selected}
      onSelect={setSelected}
    />
  );
};
