import type { AppSnapshot, ConsentStore, SandboxTarget } from '@casement/host';
import { createConsentMemory } from '@casement/host/dialogs';
import type { ConsentDialogs } from '@casement/host/dialogs';
import { createConsentDialogs } from '@casement/host/dialogs';
import type { AppPermission, HostContext } from '@casement/protocol';
import { createArgumentMemory } from './call/argument-memory.js';
import { writeAddress } from './address-writer.js';
import type { Connection, ConnectedGateway } from './connection.js';
import { createConnection } from './connection.js';
import { consentWords } from './consent-words.js';
import type { ChatRoom } from './chat/chat-room.js';
import type { NamedFamily } from './families.js';
import { readHostContext } from './host-context.js';
import { hostInfo } from './host-info.js';
import { clearFragment, readCarriedAccess, readViewAddress } from './page-address.js';
import type { CspReport } from './panels/index.js';
import type { PageRecording } from './page-recording.js';
import { createPageRecording } from './page-recording.js';
import { toPrintable } from '@casement/protocol';
import { readBrokenLine } from './broken-line.js';
import { createServerList } from './server-list.js';
import type { StageElement } from './stage-element.js';
import { createStageElement } from './stage-element.js';
import type { AppHistory, CallState, Stage, StagedCall, StageSettings } from './stage-types.js';
import { createStage } from './stage.js';
import type { Readable, Store } from './store.js';
import { createSampled, createStore } from './store.js';
import type { ViewSettings } from './view-settings.js';
import { createViewSettings, parseViewState, resolveTheme, watchSystemTheme } from './view-settings.js';
import type { Workbench } from './workbench.js';
import { createWorkbench } from './workbench.js';

/** What is on the stage, as views see it. */
interface ShownStage {
  readonly call: CallState;
  readonly staged?: StagedCall;
  readonly snapshot?: AppSnapshot;
  readonly history: AppHistory;
  /** The permissions the user gave to the apps of what is shown. */
  readonly grants: readonly AppPermission[];
  /** The family the app is shown in, where there are two to choose from. */
  readonly family?: NamedFamily;
}

/** Everything the page is made of, without any view of it. */
export interface Inspector {
  readonly connection: Connection;
  readonly workbench: Workbench;
  readonly settings: ViewSettings;
  readonly stage: Stage;
  readonly stageElement: StageElement;
  readonly shown: Readable<ShownStage>;
  readonly recording: PageRecording;
  readonly reports: Readable<readonly CspReport[]>;
  /** What the user settled for good, for apps and for calls of the model. */
  readonly choices: ConsentStore;
  /** The questions apps lead to, and where what is answered for good is kept. */
  readonly consents: ConsentDialogs & { readonly consents: ConsentStore };
  /** What apps are told of the page they are in. */
  readonly hostContext: Readable<HostContext>;
  /** The gateway, once the page has reached it and may run something. */
  readonly gateway: Readable<ConnectedGateway | undefined>;
  /** The chat, made when it is shown first. */
  readonly chat: Store<ChatRoom | undefined>;
  run(): void;
}

const refreshMs = 20;
const maxReports = 500;

/** Creates the page's model and connects its parts; nothing is drawn. */
export const createInspector = (): Inspector => {
  const recording = createPageRecording();
  const settings = createViewSettings(parseViewState(readViewAddress(location.search)));
  const workbench = createWorkbench(createArgumentMemory(localStorage));
  const stageElement = createStageElement();
  const stage = createStage(stageElement.app);
  const choices = createConsentMemory(localStorage);
  const reports = createStore<readonly CspReport[]>([]);
  const consents = { consents: choices, ...createConsentDialogs({ words: consentWords }) };
  const hostContext = createStore(readHostContext(settings.get()));
  const gateway = createStore<ConnectedGateway | undefined>(undefined);
  const chat = createStore<ChatRoom | undefined>(undefined);
  let sandbox: SandboxTarget | undefined;

  const run = (): void => {
    const call = workbench.read();
    if (!call || !sandbox) return;
    const mountSettings = {
      sandbox,
      recording: recording.page,
      hostInfo,
      hostContext: hostContext.get(),
      displayModes: ['inline', 'fullscreen', 'pip'],
      ...consents,
      // The page draws all of it itself: whose app it is, where it may reach, and how to end it.
      chrome: 'none',
    } satisfies StageSettings;
    void stage.run(call, mountSettings, settings.get().stream);
  };

  const onReady = async (connected: ConnectedGateway): Promise<void> => {
    const { client, events, link, trusted } = connected;
    sandbox = connected.sandbox;
    recording.follow(events);
    events.subscribe((event) => {
      if (event.type === 'csp-report') reports.set([...reports.get(), event.report].slice(-maxReports));
    });
    const servers = await createServerList(client, events);
    events.subscribe((event) => {
      if (event.type !== 'recording') return;
      const broken = readBrokenLine(event.entry);
      const port = servers.find(event.server)?.port;
      if (broken !== undefined && port) stage.warn(port, broken);
    });
    await events.opened;
    workbench.open(servers, link);
    writeAddress(workbench, settings);
    gateway.set(connected);
    // A link alone must not make a server act: it runs only with the token beside it.
    if (!link.run || !trusted || settings.get().view === 'chat') return;
    await servers.listed(workbench.get().serverName);
    run();
  };
  const connection = createConnection(onReady, (link) => workbench.fill(link));

  const applyTheme = (): void => {
    document.documentElement.dataset.theme = resolveTheme(settings.get().theme);
  };
  const tellApp = (): void => {
    applyTheme();
    hostContext.set(readHostContext(settings.get()));
    stage.setHostContext(hostContext.get());
  };
  let last = settings.get();
  settings.subscribe(() => {
    const next = settings.get();
    if (next.theme !== last.theme || next.locale !== last.locale) tellApp();
    last = next;
  });
  watchSystemTheme(tellApp);
  tellApp();

  const showTitle = (): void => {
    const { toolName, serverName, server } = workbench.get();
    const parts = settings.get().view === 'chat' ? ['Chat'] : [toolName, server?.port.name ?? serverName];
    document.title = [...parts, 'Casement']
      .flatMap((part) => (part === undefined ? [] : [toPrintable(part, 60)]))
      .join(' · ');
  };
  workbench.subscribe(showTitle);
  settings.subscribe(showTitle);
  stage.subscribe(() => stageElement.show(stage.snapshot()));
  // Pasting the full address into a tab that already shows the page changes only the fragment.
  addEventListener('hashchange', () => {
    if (readCarriedAccess(location.hash) === undefined) return;
    if (sandbox === undefined) void connection.start();
    else clearFragment();
  });
  const readShown = (): ShownStage => ({
    call: stage.call(),
    staged: stage.staged(),
    snapshot: stage.snapshot(),
    history: stage.history(),
    grants: stage.grants(),
    family: stage.family(),
  });
  const shown = createSampled(readShown, stage.subscribe, refreshMs);
  return {
    connection,
    workbench,
    settings,
    stage,
    stageElement,
    shown,
    recording,
    reports,
    choices,
    consents,
    hostContext,
    gateway,
    chat,
    run,
  };
};
