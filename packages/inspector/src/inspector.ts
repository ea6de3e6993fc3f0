import type { HostContext } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import type { ConsentStore } from '@casement/protocol/consents';
import { createArgumentMemory } from './call/argument-memory.js';
import type { Connection, ConnectedGateway } from './connection/connection.js';
import type { FindAppPlace } from './connection/app-place.js';
import { createConnection } from './connection/connection.js';
import type { CspReport } from './connection/gateway-client.js';
import { keepReport } from './connection/kept-reports.js';
import type { AppConsents } from './consent/page-consents.js';
import { createPageConsents } from './consent/page-consents.js';
import type { ChatRoom } from './chat/chat-room.js';
import { hostInfo, readHostContext } from './stage/host-context.js';
import { clearFragment, readCarriedAccess, readViewAddress, writeAddress } from './address/page-address.js';
import type { Doctor } from './doctor/doctor.js';
import { createDoctor } from './doctor/doctor.js';
import type { ExaminedApp } from './doctor/examined-app.js';
import { toExaminedApp } from './doctor/examined-app.js';
import type { PageRecording } from './connection/page-recording.js';
import { createPageRecording, readBrokenLine } from './connection/page-recording.js';
import type { ServerEntries } from './servers/server-entries.js';
import { createServerEntries } from './servers/server-entries.js';
import { createServerList } from './servers/server-list.js';
import type { StageElement } from './stage/stage-element.js';
import { createStageElement } from './stage/stage-element.js';
import type { Stage, StageSettings, StageState } from './stage/stage-types.js';
import { createAppFirst } from './stage/app-first.js';
import { createStage } from './stage/stage.js';
import type { Readable, Store } from './store.js';
import { createLateStore, createSampled, createStore, holdWhile } from './store.js';
import type { ViewSettings } from './address/view-settings.js';
import {
  createViewSettings,
  parseViewState,
  resolveTheme,
  toViewAddress,
  watchSystemTheme,
} from './address/view-settings.js';
import { createRunIntent } from './call/run-intent.js';
import type { Workbench } from './call/workbench.js';
import { createWorkbench, toCallAddress } from './call/workbench.js';
import { followWatch } from './watch/follow-watch.js';
import type { Watch } from './watch/watch.js';
import { fullEvidence } from './stage/full-evidence.js';

/** The sign-in that the user is asked about. */
interface AskedSignIn {
  readonly server: string;
  /** True where an account is added to those there are. */
  readonly isNewAccount: boolean;
}

/** The page's model: everything it is made of but the views. */
export interface Inspector {
  readonly connection: Connection;
  readonly workbench: Workbench;
  /** The configured servers, and what the page asks about them. */
  readonly entries: ServerEntries;
  readonly settings: ViewSettings;
  readonly stage: Stage;
  readonly stageElement: StageElement;
  /** Whether an app comes up, or is made ready: what nobody uses first waits for it. */
  readonly appFirst: Readable<boolean>;
  /** What is on the stage, for views: a change is seen after 20 ms at most, with all others of that time. */
  readonly shown: Readable<StageState>;
  readonly recording: PageRecording;
  /** What is wrong with the app on the stage, if anything is. */
  readonly doctor: Doctor;
  readonly reports: Readable<readonly CspReport[]>;
  /** The remembered choices of the user, for apps and for calls of the model. */
  readonly choices: ConsentStore;
  /** The questions that apps of the chat lead to. */
  readonly consents: AppConsents;
  /** What apps are told of the page they are in. */
  readonly hostContext: Readable<HostContext>;
  /** The gateway, once the page has reached it and may run something. */
  readonly gateway: Readable<ConnectedGateway | undefined>;
  /** The chat, made when it is shown first. */
  readonly chat: Store<ChatRoom | undefined>;
  /** What follows changes of servers and apps, once there was one or they are watched. */
  readonly watch: Readable<Watch | undefined>;
  /** The server that the user is asked to sign in to. */
  readonly asksSignIn: Store<AskedSignIn | undefined>;
  run(): void;
  /** The user seems about to run the chosen tool: its app will be made ready. */
  expectRun(): void;
  /** The user presses what runs it. */
  pressRun(): void;
}

/** How often what the stage says of an app is drawn anew: each time takes the page a twentieth of that. */
const refreshMs = 100;

/** Creates the page's model and connects its parts; nothing is drawn. */
export const createInspector = (): Inspector => {
  const recording = createPageRecording();
  const settings = createViewSettings(parseViewState(readViewAddress(location.search)));
  const workbench = createWorkbench(createArgumentMemory(localStorage));
  const entries = createServerEntries();
  const stageElement = createStageElement();
  const stage = createStage(stageElement.app);
  const appFirst = createAppFirst(stage);
  /** For what is only drawn, or judged: an app that comes up has the page to itself. */
  const afterApp = (subscribe: Readable<unknown>['subscribe']) => holdWhile(appFirst, subscribe);
  const consents = createPageConsents(localStorage);
  const reports = createStore<readonly CspReport[]>([]);
  // Nothing is told to an app before there is one, and to read all of it takes as long as to make this model.
  const hostContext = createLateStore(() => readHostContext(settings.getSnapshot()));
  const gateway = createStore<ConnectedGateway | undefined>(undefined);
  const chat = createStore<ChatRoom | undefined>(undefined);
  const watch = createStore<Watch | undefined>(undefined);
  const asksSignIn = createStore<AskedSignIn | undefined>(undefined);
  let findAppPlace: FindAppPlace | undefined;

  const readStageSettings = (findPlace: FindAppPlace): StageSettings => ({
    ...findPlace(settings.getSnapshot().storage),
    recording: recording.page,
    hostInfo,
    hostContext: hostContext.getSnapshot(),
    displayModes: ['inline', 'fullscreen', 'pip'],
    ...consents.stage,
    // The page draws all of it itself: whose app it is, where it may reach, and how to end it.
    chrome: 'none',
    ...fullEvidence,
  });
  const prepare = (): void => {
    const tool = workbench.readTool();
    if (!tool || !findAppPlace || settings.getSnapshot().view === 'chat') return;
    if (stage.prepare(tool, readStageSettings(findAppPlace))) appFirst.prepare();
  };
  const intent = createRunIntent(workbench, {
    onChoice: () => stage.forget('another-tool'),
    onIntent: prepare,
    onWait: () => doctor.prepare(),
  });
  const run = (): void => {
    const call = workbench.read();
    if (!call || !findAppPlace) return;
    intent.forget();
    void stage.run(call, readStageSettings(findAppPlace), settings.getSnapshot().stream);
  };

  const onReady = (connected: ConnectedGateway): void => {
    const { client, events, servers: known, link, trusted } = connected;
    findAppPlace = connected.findAppPlace;
    recording.follow(events);
    events.subscribe((event) => {
      if (event.type === 'csp-report') reports.set(keepReport(reports.getSnapshot(), event.report));
    });
    const servers = createServerList(client, events, known);
    events.subscribe((event) => {
      if (event.type !== 'recording') return;
      const broken = readBrokenLine(event.entry);
      const port = servers.find(event.server)?.port;
      if (broken !== undefined && port) stage.warn(port, broken);
    });
    entries.open(client, events);
    followWatch({ events, known, watch, parts: { stage, servers, client, recording: recording.page } });
    workbench.open(servers, link);
    writeAddress(
      () => ({ ...toCallAddress(workbench.getSnapshot()), ...toViewAddress(settings.getSnapshot()) }),
      [workbench, settings],
    );
    gateway.set(connected);
    // A link alone must not make a server act: it runs only with the token beside it.
    if (!link.run || !trusted || settings.getSnapshot().view === 'chat') return;
    const { serverName, toolName } = workbench.getSnapshot();
    void Promise.all([events.opened, servers.listed(serverName)]).then(() => {
      const now = workbench.getSnapshot();
      // A slow server leaves time to choose something else, which nobody asked to be run.
      if (now.serverName === serverName && (toolName ?? now.toolName) === now.toolName) run();
    });
  };
  const connection = createConnection(onReady, (link) => workbench.fill(link));

  const applyTheme = (): void => {
    document.documentElement.dataset.theme = resolveTheme(settings.getSnapshot().theme);
  };
  const tellApp = (): void => {
    applyTheme();
    hostContext.set(readHostContext(settings.getSnapshot()));
    stage.setHostContext(hostContext.getSnapshot());
  };
  let last = settings.getSnapshot();
  settings.subscribe(() => {
    const next = settings.getSnapshot();
    if (next.theme !== last.theme || next.locale !== last.locale) tellApp();
    stage.offerMessages(next.messages === 'offered');
    if (next.storage !== last.storage) {
      stage.forget('settings');
      if (findAppPlace) stage.setPlace(findAppPlace(next.storage));
    }
    last = next;
  });
  stage.offerMessages(last.messages === 'offered');
  watchSystemTheme(tellApp);
  applyTheme();

  const showTitle = (): void => {
    const { toolName, serverName, server } = workbench.getSnapshot();
    const parts =
      settings.getSnapshot().view === 'chat' ? ['Chat'] : [toolName, server?.port.name ?? serverName];
    document.title = [...parts, 'Casement']
      .flatMap((part) => (part === undefined ? [] : [toPrintable(part, 60)]))
      .join(' · ');
  };
  workbench.subscribe(showTitle);
  settings.subscribe(showTitle);
  stage.subscribe(() => stageElement.show(stage.getSnapshot().snapshot));
  // Pasting the full address into a tab that already shows the page changes only the fragment.
  addEventListener('hashchange', () => {
    if (readCarriedAccess(location.hash) === undefined) return;
    // What the document's own script decides, it decides anew: the page may be under another name than it should be.
    if (findAppPlace === undefined) location.reload();
    else clearFragment();
  });
  const shown = createSampled(stage.getSnapshot, afterApp(stage.subscribe), refreshMs);
  const readExamined = (): ExaminedApp | undefined => {
    const { snapshot, staged, call } = stage.getSnapshot();
    if (!snapshot) return undefined;
    const server = workbench.getSnapshot().servers.find(({ port }) => port === staged?.port);
    const result = call.status === 'done' ? { result: call.result } : {};
    return toExaminedApp({ snapshot, tool: staged?.tool, reports: reports.getSnapshot(), ...result }, server);
  };
  const doctor = createDoctor({
    changes: [shown, { subscribe: afterApp(reports.subscribe) }],
    read: readExamined,
    recording: recording.page,
  });
  return {
    connection,
    workbench,
    entries,
    settings,
    stage,
    stageElement,
    appFirst,
    shown,
    recording: { ...recording, subscribe: afterApp(recording.subscribe) },
    doctor,
    reports,
    choices: consents.choices,
    consents: consents.chat,
    hostContext,
    gateway,
    chat,
    watch,
    asksSignIn,
    run,
    expectRun: intent.hint,
    pressRun() {
      if (stage.begin()) appFirst.begin();
    },
  };
};
