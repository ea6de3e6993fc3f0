import { lazy, useState, useSyncExternalStore } from 'react';
import { TimelinePanel } from './timeline/timeline-panel.js';
import type { TabName } from '../address/view-settings.js';
import { LatePart } from '../parts/late-part.js';
import { AppCodeContext, toAppCode } from '../source/app-code.js';
import type { ListedServer } from '../servers/server-list.js';
import { useInspected, type InspectedApp } from './use-inspected.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const SecurityPanel = lazy(async () => ({
  default: (await import('./security/security-panel.js')).SecurityPanel,
}));
const StatePanel = lazy(async () => ({ default: (await import('./state/state-panel.js')).StatePanel }));
const ConsolePanel = lazy(async () => ({
  default: (await import('./console/console-panel.js')).ConsolePanel,
}));
const ModelView = lazy(async () => ({ default: (await import('./model/model-view.js')).ModelView }));

/** The server of the app that is shown, which need not be the one that is selected. */
const useShownServer = ({ server }: InspectedApp): ListedServer | undefined => {
  const { workbench, settings } = useInspector();
  const { servers, serverName } = useValue(workbench);
  const isChat = usePart(settings, ({ view }) => view === 'chat');
  return servers.find(({ summary, port }) =>
    server === undefined ? !isChat && summary.name === serverName : port.name === server,
  );
};

const toInspectedCode = ({ snapshot, fetchFromApp }: InspectedApp, server: ListedServer | undefined) =>
  snapshot && server && toAppCode(snapshot, server, fetchFromApp);

const State = () => {
  const { settings } = useInspector();
  const inspected = useInspected();
  const isChat = usePart(settings, ({ view }) => view === 'chat');
  const server = useShownServer(inspected);
  return (
    <AppCodeContext value={toInspectedCode(inspected, server)}>
      <StatePanel
        snapshot={inspected.snapshot}
        report={inspected.report}
        server={server?.summary}
        contextUpdates={inspected.contextUpdates}
        hasModel={isChat}
        onCallAppTool={inspected.callAppTool}
      />
    </AppCodeContext>
  );
};

const Console = () => {
  const inspected = useInspected();
  const server = useShownServer(inspected);
  return (
    <AppCodeContext value={toInspectedCode(inspected, server)}>
      <ConsolePanel snapshot={inspected.snapshot} />
    </AppCodeContext>
  );
};

const Security = () => {
  const { reports, choices, workbench } = useInspector();
  const { snapshot, grant } = useInspected();
  const { servers } = useValue(workbench);
  const declared = snapshot?.resource?.permissions ?? [];
  return (
    <SecurityPanel
      snapshot={snapshot}
      reports={useValue(reports)}
      permissions={{ declared, granted: [], ...grant }}
      choices={useSyncExternalStore(choices.subscribe, choices.list)}
      problems={useSyncExternalStore(choices.subscribe, choices.problems)}
      toServerName={(identity) => servers.find(({ port }) => port.identity === identity)?.port.name}
      onTakeBack={(choice) => choices.set(choice, undefined)}
      onDiscard={choices.discardUnreadable}
    />
  );
};

interface Selection {
  readonly selected: string | undefined;
  onSelect(key?: string): void;
}

const Timeline = (selection: Selection) => {
  const { recording, settings } = useInspector();
  const filter = usePart(settings, (view) => view.filter);
  return (
    <TimelinePanel
      recording={recording}
      query={filter}
      onQueryChange={(next) => settings.change({ filter: next })}
      {...selection}
    />
  );
};

/** The panel of a tab, with its part of the model. */
export const InspectPanel = ({ tab }: { tab: TabName }) => {
  // Kept here: what was selected in the timeline is still so after a look into another tab.
  const [selected, setSelected] = useState<string>();
  switch (tab) {
    case 'timeline':
      return <Timeline selected={selected} onSelect={setSelected} />;
    case 'console':
      return (
        <LatePart name="the Console tab">
          <Console />
        </LatePart>
      );
    case 'state':
      return (
        <LatePart name="the State tab">
          <State />
        </LatePart>
      );
    case 'security':
      return (
        <LatePart name="the Security tab">
          <Security />
        </LatePart>
      );
    case 'model':
      return (
        <LatePart name="the Model tab">
          <ModelView />
        </LatePart>
      );
  }
};
