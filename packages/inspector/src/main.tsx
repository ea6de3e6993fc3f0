import { isAsking } from '@casement/host/dialogs';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { exposeAutomation } from './automation.js';
import { createInspector } from './inspector.js';
import { InspectorContext } from './use-inspector.js';
import { InspectorPage } from './page/inspector-page.js';

/** How long the page waits for its gateway before it is drawn without servers. */
const maxEmptyMs = 100;

/** Draws the page and connects it; `asked` is the access that was asked for while this script was on its way. */
export const openPage = (asked?: Promise<Response>): void => {
  const inspector = createInspector();

  addEventListener('keydown', (event) => {
    const { stage, settings, entries } = inspector;
    if (settings.getSnapshot().view === 'chat') return;
    const inline = (stage.getSnapshot().snapshot?.displayMode ?? 'inline') === 'inline';
    if (entries.dialog.getSnapshot()) return;
    if (event.key === 'Escape' && !isAsking() && !inline) stage.setDisplayMode('inline');
  });

  exposeAutomation({
    snapshot: () => inspector.stage.getSnapshot().snapshot,
    doctor: () => inspector.doctor.read(),
    recording: () => inspector.recording.entries(),
  });

  const page = document.getElementById('page');
  if (!page) throw new Error('The page has no element called page.');
  const root = createRoot(page);
  // At once: what waits for the first frame must not find a frame without the page in it.
  const draw = (): void =>
    flushSync(() =>
      root.render(
        <StrictMode>
          <InspectorContext value={inspector}>
            <InspectorPage />
          </InspectorContext>
        </StrictMode>,
      ),
    );
  // Nearly always the answer is here before this script is, and the page is drawn once, with everything in it.
  const patience = setTimeout(draw, maxEmptyMs);
  void inspector.connection.start(asked).finally(() => {
    clearTimeout(patience);
    draw();
  });
};
