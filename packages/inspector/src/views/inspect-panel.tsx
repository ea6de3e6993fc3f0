import { useState } from 'react';
import { SecurityPanel, StatePanel, TimelinePanel } from '../panels/index.js';
import type { TabName } from '../view-settings.js';
import { useInspector, usePart, useValue } from './use-inspector.js';

const State = () => {
  const { shown, workbench, stage } = useInspector();
  const { snapshot, staged, history } = useValue(shown);
  const { servers, server } = useValue(workbench);
  // The server of what is on the stage, which need not be the one that is selected.
  const shownServer = staged ? servers.find(({ summary }) => summary.name === staged.port.name) : server;
  return (
    <StatePanel
      snapshot={snapshot}
      server={shownServer?.summary}
      contextUpdates={history.contextUpdates}
      onCallAppTool={stage.callAppTool}
    />
  );
};

const Security = () => {
  const { shown, reports, remembered, workbench, stage } = useInspector();
  const { snapshot, grants } = useValue(shown);
  const { servers } = useValue(workbench);
  const declared = snapshot?.resource?.permissions ?? [];
  return (
    <SecurityPanel
      snapshot={snapshot}
      reports={useValue(reports)}
      permissions={{ declared, granted: grants, onGrant: (next) => void stage.grant(next) }}
      remembered={useValue(remembered)}
      toServerName={(identity) => servers.find(({ port }) => port.identity === identity)?.summary.name}
      onTakeBack={remembered.takeBack}
    />
  );
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
