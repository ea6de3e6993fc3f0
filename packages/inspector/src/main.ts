import type { SandboxTarget } from '@casement/host';
import { CasementError } from '@casement/protocol';
import { exposeAutomation } from './automation.js';
import { chooseSandbox } from './choose-sandbox.js';
import { createConsentDialog } from './consent-dialog.js';
import { toLinkQuestion, toMessageQuestion } from './consent-questions.js';
import { createGatewayClient } from './gateway-client.js';
import type { LinkState } from './gateway-events.js';
import { createGatewayEvents } from './gateway-events.js';
import { readHostContext } from './host-context.js';
import { createLogView } from './log-view.js';
import {
  consumeFragmentToken,
  forgetToken,
  readDeepLink,
  readFragmentToken,
  readKeptToken,
} from './page-address.js';
import { element } from './page-elements.js';
import { createPageRecording } from './page-recording.js';
import { createServerList } from './server-list.js';
import { createStageView } from './stage-view.js';
import { createStage } from './stage.js';
import { createThemeControl } from './theme-control.js';
import { createWorkbench } from './workbench.js';

const recording = createPageRecording();
const stage = createStage(element('app', HTMLElement));
const ask = createConsentDialog();
const theme = createThemeControl((next) => stage.setHostContext(readHostContext(next)));
let sandbox: SandboxTarget | undefined;

const run = (): void => {
  const call = workbench.read();
  if (!call || !sandbox) return;
  void stage.run(call, {
    sandbox,
    recording: recording.page,
    hostInfo: { name: 'casement', title: 'Casement', version: '0.1.0' },
    hostContext: readHostContext(theme()),
    displayModes: ['inline', 'fullscreen', 'pip'],
    onOpenLink: (request) => ask(toLinkQuestion(request)),
    onMessage: (request) => ask(toMessageQuestion(request)),
  });
};
const workbench = createWorkbench(run);

const notify = (text: string): void => {
  const notice = element('notice', HTMLElement);
  notice.textContent = text;
  notice.hidden = text === '';
};

const tokenNotice =
  'This page has no token, so it cannot reach the gateway. Open the address that the casement command printed: it carries the token.';

const showLink = (state: LinkState | 'waiting', text: string): void => {
  const connection = element('connection', HTMLElement);
  connection.dataset.state = state;
  connection.textContent = text;
};

const onLink = (state: LinkState): void => {
  if (state === 'connected') {
    showLink(state, 'Connected');
    return;
  }
  if (state === 'lost') {
    showLink(state, 'Connection lost, trying again');
    return;
  }
  forgetToken();
  showLink(state, 'Not connected');
  notify(
    'The gateway does not take this token: it was probably started anew. Open the address that the casement command printed last.',
  );
};

/** Connects with the token of this load's fragment, or the one this tab kept; only the first may run a tool. */
const begin = async (): Promise<void> => {
  const link = readDeepLink(location);
  const carried = readFragmentToken(location.hash);
  const token = carried ?? readKeptToken();
  if (token === undefined) {
    workbench.fill(link);
    notify(tokenNotice);
    return;
  }
  const client = createGatewayClient(token);
  const choice = await chooseSandbox(await client.status());
  if ('moveTo' in choice) {
    location.replace(choice.moveTo);
    return;
  }
  consumeFragmentToken();
  notify('');
  sandbox = choice.target;
  const events = createGatewayEvents(client, onLink);
  recording.follow(events);
  const servers = await createServerList(client, events);
  await events.opened;
  workbench.open(servers, link);
  // A link alone must not make a server act: it runs only with the token beside it.
  if (link.run && carried !== undefined) run();
};

const start = (): Promise<void> =>
  begin().catch((error: unknown) => {
    workbench.fill(readDeepLink(location));
    consumeFragmentToken();
    if (error instanceof CasementError && error.code === 'unauthorized') onLink('unauthorized');
    else notify(error instanceof Error ? error.message : String(error));
  });

element('cancel', HTMLButtonElement).addEventListener('click', () => stage.cancel());
element('reload', HTMLButtonElement).addEventListener('click', () => stage.reload());
element('close', HTMLButtonElement).addEventListener('click', () => void stage.close());
const modes = element('display-mode', HTMLSelectElement);
modes.addEventListener('change', () => {
  // The options are the three modes.
  stage.setDisplayMode(modes.value as 'inline' | 'fullscreen' | 'pip');
});
addEventListener('keydown', (event) => {
  const dialogOpen = element('consent', HTMLDialogElement).open;
  const inline = (stage.snapshot()?.displayMode ?? 'inline') === 'inline';
  if (event.key === 'Escape' && !dialogOpen && !inline) stage.setDisplayMode('inline');
});
// Pasting the full address into a tab that already shows the page changes only the fragment.
addEventListener('hashchange', () => {
  if (readFragmentToken(location.hash) === undefined) return;
  if (sandbox === undefined) void start();
  else consumeFragmentToken();
});

exposeAutomation({ snapshot: () => stage.snapshot(), recording: () => recording.entries() });
createStageView(stage);
createLogView(recording);
void start();
