import { isAsking } from '@casement/host/dialogs';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './style.css';
import { exposeAutomation } from './automation.js';
import { createInspector } from './inspector.js';
import { InspectorContext } from './use-inspector.js';
import { InspectorPage } from './page/inspector-page.js';

const inspector = createInspector();

addEventListener('keydown', (event) => {
  const { stage, settings } = inspector;
  if (settings.getSnapshot().view === 'chat') return;
  const inline = (stage.getSnapshot().snapshot?.displayMode ?? 'inline') === 'inline';
  if (event.key === 'Escape' && !isAsking() && !inline) stage.setDisplayMode('inline');
});

exposeAutomation({
  snapshot: () => inspector.stage.getSnapshot().snapshot,
  recording: () => inspector.recording.entries(),
});

const page = document.getElementById('page');
if (!page) throw new Error('The page has no element called page.');
createRoot(page).render(
  <StrictMode>
    <InspectorContext value={inspector}>
      <InspectorPage />
    </InspectorContext>
  </StrictMode>,
);
void inspector.connection.start();
