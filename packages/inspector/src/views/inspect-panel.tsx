import { useState } from 'react';
import { SecurityPanel, StatePanel, TimelinePanel } from '../panels/index.js';
import type { TabName } from '../view-settings.js';
import { useInspector, useValue } from './use-inspector.js';

/** The panel of a tab, with its part of the model. */
export const InspectPanel = ({ tab }: { tab: TabName }) => {
  const { recording, settings, shown, reports, workbench } = useInspector();
  const { filter } = useValue(settings);
  const { snapshot, staged } = useValue(shown);
  const { servers } = useValue(workbench);
  const seen = useValue(reports);
  const [selected, setSelected] = useState<string>();
  if (tab === 'timeline')
    return (
      <TimelinePanel
        recording={recording}
        query={filter}
        onQueryChange={(next) => settings.change({ filter: next })}
        selected={selected}
        onSelect={setSelected}
      />
    );
  if (tab === 'security') return <SecurityPanel snapshot={snapshot} reports={seen} />;
  const server = servers.find(({ summary }) => summary.name === staged?.port.name);
  return <StatePanel snapshot={snapshot} server={server?.summary} />;
};
