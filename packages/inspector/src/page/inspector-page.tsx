import { lazy, useRef } from 'react';
import { CallSection } from '../call/call-section.js';
import { InspectTabs } from '../panels/inspect-tabs.js';
import { LatePart } from '../parts/late-part.js';
import { PaneSwitch } from './pane-switch.js';
import { ServerSection } from '../servers/server-section.js';
import { StageSection } from '../stage/stage-section.js';
import { ToolSection } from '../servers/tool-section.js';
import { TopBar } from './top-bar.js';
import { ConfigDrop } from './config-drop.js';
import { useInspector, usePart, useValue } from '../use-inspector.js';

const EntryDialogs = lazy(async () => ({
  default: (await import('../entries/entry-dialogs.js')).EntryDialogs,
}));
const ChatPane = lazy(async () => ({ default: (await import('../chat/chat-pane.js')).ChatPane }));

const SignInQuestion = lazy(async () => ({
  default: (await import('../sign-in/sign-in-question.js')).SignInQuestion,
}));

/** What is asked about configured servers, if anything is. */
const ServerDialogs = () => {
  const dialog = useValue(useInspector().entries.dialog);
  return (
    dialog && (
      <LatePart name="the dialog" quiet>
        <EntryDialogs dialog={dialog} />
      </LatePart>
    )
  );
};

/** The way to what is kept on this machine. */
const StoredLink = () => {
  const { entries, gateway } = useInspector();
  const isConnected = useValue(gateway) !== undefined;
  return (
    isConnected && (
      <p className="side-foot">
        <button type="button" className="link" onClick={() => entries.dialog.set({ kind: 'stored' })}>
          Stored data
        </button>
      </p>
    )
  );
};

/** The whole page: servers and tools, the call and its app or the conversation, and what can be seen of them. */
export const InspectorPage = () => {
  const { settings, shown, workbench } = useInspector();
  const wantsSignIn = usePart(workbench, ({ servers }) => servers.some(({ summary }) => summary.signIn));
  const pane = usePart(settings, (state) => state.pane);
  const view = usePart(settings, (state) => state.view);
  // What fullscreen covers must not be reached by keyboard either.
  const covered = usePart(
    shown,
    ({ snapshot }) => snapshot?.displayMode === 'fullscreen' && snapshot.status === 'ready',
  );
  const isCovered = covered && view === 'workbench';
  // Once there, the conversation goes on while the workbench is shown.
  const hasChat = useRef(false);
  hasChat.current ||= view === 'chat';
  return (
    <>
      <TopBar inert={isCovered} />
      <PaneSwitch inert={isCovered} />
      <main className="workbench" data-pane={pane} data-view={view}>
        <div className="pane side" inert={isCovered}>
          <ServerSection />
          <ToolSection />
          <StoredLink />
        </div>
        <div className="pane middle" inert={view !== 'workbench'}>
          <CallSection inert={isCovered} />
          <StageSection />
        </div>
        {hasChat.current && (
          <section className="pane chat" aria-label="Chat" inert={view !== 'chat'}>
            <LatePart name="the chat">
              <ChatPane />
            </LatePart>
          </section>
        )}
        <div className="pane inspect" inert={isCovered}>
          <InspectTabs />
        </div>
      </main>
      <ServerDialogs />
      <ConfigDrop />
      {wantsSignIn && (
        <LatePart name="the sign-in">
          <SignInQuestion />
        </LatePart>
      )}
    </>
  );
};
