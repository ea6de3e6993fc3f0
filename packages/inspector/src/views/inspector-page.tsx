import { CallSection } from './call-section.js';
import { ConsentDialog } from './consent-dialog.js';
import { InspectTabs } from './inspect-tabs.js';
import { PaneSwitch } from './pane-switch.js';
import { ServerSection } from './server-section.js';
import { StageSection } from './stage-section.js';
import { ToolSection } from './tool-section.js';
import { TopBar } from './top-bar.js';
import { useInspector, usePart } from './use-inspector.js';

/** The whole page: servers and tools, the call and its app, and what can be seen of both. */
export const InspectorPage = () => {
  const { settings, shown } = useInspector();
  const pane = usePart(settings, (view) => view.pane);
  // What fullscreen covers must not be reached by keyboard either.
  const covered = usePart(
    shown,
    ({ snapshot }) => snapshot?.displayMode === 'fullscreen' && snapshot.status === 'ready',
  );
  return (
    <>
      <TopBar inert={covered} />
      <PaneSwitch inert={covered} />
      <main className="workbench" data-pane={pane}>
        <div className="pane side" inert={covered}>
          <ServerSection />
          <ToolSection />
        </div>
        <div className="pane middle">
          <CallSection inert={covered} />
          <StageSection />
        </div>
        <div className="pane inspect" inert={covered}>
          <InspectTabs />
        </div>
      </main>
      <ConsentDialog />
    </>
  );
};
