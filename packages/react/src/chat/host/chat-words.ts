import type { ConversationFailureCode } from '@casement/chat';
import type { AppSnapshot, HostWords, SessionFailure } from '@casement/host';
import type { AppPermission, ToolClaim } from '@casement/protocol';

/** Every word the chat says itself; an embedder gives its own for another language. */
export interface ChatWords {
  // Messages
  thread: string;
  you: string;
  assistant: string;
  /** Over a message that an app wrote in the user's name (T21). */
  fromApp(app: string, server: string): string;
  queued: string;
  newMessages: string;
  working: string;
  /** Names what apps gave the model to know with a message. */
  contextGiven(count: number): string;
  /** Names what apps will give the model to know with the next message. */
  contextPending(count: number): string;
  contextOf(app: string, server: string): string;
  contextTakenBack: string;
  /** Under an answer that the model's limit of length ended. */
  cutOff: string;
  emptyTitle: string;
  emptyText: string;

  // Content
  image: string;
  audio: string;
  resource: string;
  copy: string;
  copied: string;
  /** Above a text of which only the beginning is in sight. */
  cut(characters: number): string;
  showAll: string;
  unreadable: string;

  // Calls of tools
  call(tool: string): string;
  serverTool(server: string): string;
  appTool(app: string, version: string | undefined, server: string): string;
  /** Marks a tool of an app, so that it looks unlike a tool of a server (HOST-096). */
  appMark: string;
  unknownApp: string;
  writing: string;
  running: string;
  waiting: string;
  done: string;
  failed: string;
  cancelled: string;
  input: string;
  output: string;
  details: string;
  noOutput: string;
  noInput: string;
  /** What to do about a failure, by its code, and where the code says nothing. */
  nextSteps: Readonly<Record<string, string>>;
  nextStep: string;

  // Questions
  approvalTitle(tool: string): string;
  approvalOf(source: string): string;
  approvalInput: string;
  /** What a tool says of itself: the word of its server, or of the app that offers it, which nobody checked. */
  claim(claim: ToolClaim, isApp: boolean): string;
  /** Calls of the model run unasked. */
  unasked: string;
  askAgain: string;
  allowOnce: string;
  allowAlways: string;
  deny: string;
  denyAlways: string;
  /** How far "always" and "never" reach. */
  approvalReach(source: string, isApp: boolean): string;

  /** What an app asks to use, in the host's own words. */
  permissionTitle(permissions: readonly AppPermission[]): string;
  /** Who asks, and what happens on a yes. */
  permissionOf(app: string, server: string): string;
  permissionReach(server: string): string;

  /** Where the question itself cannot be seen. */
  waitingNote: string;
  showQuestion: string;

  // Troubles
  retry: string;
  failureTitle: string;
  problem(server: string): string;
  restart: string;
  restarting: string;
  /** The whole name of the button. */
  restartServer(server: string): string;

  // The composer
  message: string;
  placeholder: string;
  send: string;
  stop: string;
  queue: string;
  /** Names the list of tools that `/` opens. */
  commands: string;
  noCommands: string;
  tools(count: number): string;
  toolsTitle: string;
  noTools: string;
  closeTools: string;
  clash(tool: string): string;
  clashName(source: string, name: string): string;

  // For people who do not see the screen
  answered(text: string): string;
  stopped: string;
  asksApproval(tool: string, source: string): string;
  asksPermission(app: string, permissions: readonly AppPermission[]): string;
  commandsFound(count: number): string;
  restarted(server: string): string;
  notRestarted(server: string): string;

  // Apps
  openApp: string;
  closeApp: string;
  reloadApp: string;
  /** In the head of an app: over the conversation, or in the workspace. */
  expandApp: string;
  besideApp: string;
  /** On the tile of an app that the panel or the workspace shows (S5-43). */
  viewing: string;
  /** On a tile; without a server the app is the page's own. */
  appFrom(server: string | undefined): string;
  appClosed: string;
  appFailed: string;
  /** What is said of it, where a sentence by its code (`failures`) is not enough; each line is a paragraph; neutral unless given. */
  appProblem?(failure: SessionFailure, app?: AppSnapshot): string;
  noServer: string;
  serverGone(server: string): string;
  /** Under an app that goes on although its server is gone, and when that is back. */
  appWithoutServer(server: string): string;
  appServerBack(server: string): string;
  /** What an app of the page itself is said to be from. */
  page: string;
  appOpened(title: string, place: 'panel' | 'workspace'): string;
  appBack(title: string): string;
}

/** All words of a chat, the host's among them; those of the chat itself may also stand beside the groups. */
export type ChatShellWords = Omit<HostWords, 'failures'> &
  Partial<ChatWords> & {
    readonly chat?: Partial<ChatWords>;
    /** What went wrong with an app, a call, a server or an answer, by its code. */
    readonly failures?: Readonly<Partial<Record<ConversationFailureCode, string>>>;
  };

const permissionNames: Readonly<Record<AppPermission, string>> = {
  camera: 'your camera',
  microphone: 'your microphone',
  geolocation: 'your location',
  clipboardWrite: 'your clipboard (to write)',
};
const toPermissionList = (permissions: readonly AppPermission[]): string =>
  new Intl.ListFormat('en').format(permissions.map((permission) => permissionNames[permission]));

const claims: Readonly<Record<ToolClaim, string>> = {
  'may-destroy': 'says: this may destroy data.',
  changes: 'says: this changes things. It does not say that nothing is destroyed.',
  unclear: 'contradicts itself, or cannot be understood, in what it says of this tool. It may destroy data.',
  nothing: 'does not say what this tool does. It may destroy data.',
  'reads-only': 'says: this only reads.',
  'destroys-nothing': 'says: this destroys nothing.',
  'open-world': 'says: this reaches systems outside of it.',
};

/** The words unless the embedder has others. */
export const defaultChatWords: ChatWords = {
  thread: 'Conversation',
  you: 'You',
  assistant: 'Assistant',
  fromApp: (app, server) => `Written by the app ${app} of ${server}`,
  queued: 'Waits for its turn',
  newMessages: 'New messages',
  working: 'Thinking…',
  contextGiven: (count) => `Apps told the model (${count})`,
  contextPending: (count) => `Apps will tell the model (${count})`,
  contextOf: (app, server) => `${app}, of ${server}`,
  contextTakenBack: 'Took back what it had told.',
  cutOff: 'The answer ends here because it reached the limit of its length.',
  emptyTitle: 'What would you like to do?',
  emptyText: 'Ask a question, or write / to see the tools.',

  image: 'Image',
  audio: 'Audio',
  resource: 'Resource',
  copy: 'Copy',
  copied: 'Copied',
  cut: (characters) => `Only the beginning of ${characters.toLocaleString('en')} characters is in sight.`,
  showAll: 'Show all',
  unreadable: 'This cannot be shown.',

  call: (tool) => `Tool ${tool}`,
  serverTool: (server) => `of the server ${server}`,
  appTool: (app, version, server) => `of the app ${app}${version ? ` ${version}` : ''}, from ${server}`,
  appMark: 'App',
  unknownApp: 'without a name',
  writing: 'Writing…',
  running: 'Running…',
  waiting: 'Waits for you',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  input: 'Arguments',
  output: 'Result',
  details: 'Structured result',
  noOutput: 'The tool answered without content.',
  noInput: 'No arguments.',
  nextSteps: {
    'approval-denied': 'The model was told so. Ask again if you change your mind.',
    'input-malformed': 'The model was told so and can try again.',
    'tool-not-found': 'See the list of tools for what is on offer.',
    'tool-failed': 'Try again, or see what the server says.',
    'session-closed': 'Open the app again and ask once more.',
    'server-unknown': 'Connect the server again and ask once more.',
    'server-lost': 'Restart the server and ask once more.',
    'server-exited': 'Restart the server and ask once more.',
    'server-not-ready': 'Wait until the server is connected and ask once more.',
    'server-unreachable': 'See whether the server runs and ask once more.',
    'server-timeout': 'The server took too long. Ask once more, or for less.',
    'server-sign-in': 'Sign in to the server and ask once more.',
    'server-flooding': 'Restart the server; it sends far more than anything can use.',
    'server-garbage': 'The server broke the protocol: tell whoever made it.',
    'result-too-large': 'Ask for less at once.',
    'peer-timeout': 'The app took too long. Ask once more, or reload the app.',
    'app-tool-invalid': 'The app broke the form it promised: tell whoever made it.',
    'rate-limited': 'Wait a moment and ask once more.',
  },
  nextStep: 'Ask once more, or in another way.',

  approvalTitle: (tool) => `Allow ${tool}?`,
  approvalOf: (source) => `The model wants to call this tool ${source}.`,
  approvalInput: 'With these arguments',
  claim: (claim, isApp) => `${isApp ? 'The app' : 'The server'} ${claims[claim]}`,
  unasked: 'Tools run without a question: calls of the model are not asked about.',
  askAgain: 'Ask before calls',
  allowOnce: 'Allow once',
  allowAlways: 'Always allow',
  deny: 'Deny',
  denyAlways: 'Never allow',
  approvalReach: (source, isApp) =>
    isApp
      ? `“Always” holds for this tool as it is now, “Never” for all tools ${source}.`
      : '“Always” holds for this tool as it is now, “Never” for whatever this server calls by its name.',

  permissionTitle: (permissions) => `Let this app use ${toPermissionList(permissions)}?`,
  permissionOf: (app, server) =>
    `The app ${app} of ${server} runs without it now, and starts over if you allow it. Your browser may ask as well.`,
  permissionReach: (server) =>
    `“Once” holds for this place in the conversation, “Always” for this app of ${server}, both until you leave the page.`,

  waitingNote: 'A tool waits for your permission.',
  showQuestion: 'Show',

  retry: 'Retry',
  failureTitle: 'The answer could not be finished.',
  problem: (server) => `The tools of ${server} are not on offer.`,
  restart: 'Restart',
  restarting: 'Restarting…',
  restartServer: (server) => `Restart ${server}`,

  message: 'Message',
  placeholder: 'Write a message, or / for tools',
  send: 'Send',
  stop: 'Stop',
  queue: 'Send next',
  commands: 'Tools to call',
  noCommands: 'No tool has this name.',
  tools: (count) => (count === 1 ? '1 tool' : `${count} tools`),
  toolsTitle: 'Tools on offer to the model',
  noTools: 'No server offers a tool to the model.',
  closeTools: 'Close',
  clash: (tool) => `Several tools are called ${tool}. The model knows them as:`,
  clashName: (source, name) => `${name} ${source}`,

  answered: (text) => `Answer complete. ${text}`,
  stopped: 'Stopped.',
  asksApproval: (tool, source) => `${tool}, ${source}, waits for your permission.`,
  asksPermission: (app, permissions) => `${app} asks to use ${toPermissionList(permissions)}.`,
  commandsFound: (count) => (count === 1 ? '1 tool' : `${count} tools`),
  restarted: (server) => `${server} runs again.`,
  notRestarted: (server) => `${server} could not be restarted.`,

  openApp: 'Open',
  closeApp: 'Close',
  reloadApp: 'Reload',
  expandApp: 'Expand',
  besideApp: 'Open beside',
  viewing: 'Viewing',
  appFrom: (server) => (server === undefined ? 'App from this page' : `App from ${server}`),
  appClosed: 'This app was closed.',
  appFailed: 'This app cannot be shown.',
  noServer: 'Its item names neither a server nor a document.',
  serverGone: (server) => `The server ${server} is not part of this conversation.`,
  appWithoutServer: (server) => `${server} is gone. The app goes on without it.`,
  appServerBack: (server) => `${server} runs again. Reload the app to connect it.`,
  page: 'this page',
  appOpened: (title, place) =>
    place === 'panel' ? `${title} opened over the conversation.` : `${title} opened in the workspace.`,
  appBack: (title) => `${title} closed.`,
};
