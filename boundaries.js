import globals from 'globals';

/**
 * The boundary table: what each room may know. A room is a folder; a file belongs to the deepest room above it.
 *
 * - `folder`: the room.
 * - `imports`: packages it may import, by prefix; `typeOnly` are those of them that it may import types from only.
 * - `rooms`: other rooms of its package that it may import, as paths below `src` (`'core/policy'`; `'.'` is `src` itself).
 *   A room that is not named here is closed to it, nested rooms and the room around it included.
 * - `typesOf`: rooms that it may import types from, and nothing else.
 * - `door`: the files of this room that other rooms may import; without it they may import all of them.
 * - `globals`: the names of the environment it may use.
 *
 * `imports`, `typeOnly` and `globals` are those of the nearest room around it when a row leaves them out.
 * No source ever imports another package by a relative path.
 */
const neutral = Object.keys(globals['shared-node-browser']);
const browser = Object.keys(globals.browser);
const node = [...Object.keys(globals.node), ...neutral];

/** Every name that some environment has. */
export const everyGlobal = [...new Set([...browser, ...node])];

const rows = [
  // protocol
  {
    folder: 'packages/protocol/src',
    imports: [],
    globals: [...neutral, 'crypto'],
    rooms: ['consent', 'content', 'dialects', 'messages', 'metadata', 'ports', 'recording', 'schema', 'wire'],
    door: ['constants', 'errors', 'is-record', 'printable'],
  },
  { folder: 'packages/protocol/src/messages', rooms: ['.'] },
  { folder: 'packages/protocol/src/wire', rooms: ['.', 'messages'] },
  { folder: 'packages/protocol/src/metadata', imports: [], rooms: ['.'], typesOf: ['messages'] },
  { folder: 'packages/protocol/src/schema', imports: [], rooms: ['.'] },
  { folder: 'packages/protocol/src/content', rooms: ['.', 'messages'] },
  {
    folder: 'packages/protocol/src/consent',
    imports: [],
    rooms: ['.'],
    typesOf: ['messages', 'metadata'],
  },
  { folder: 'packages/protocol/src/recording', rooms: ['.', 'messages'] },
  { folder: 'packages/protocol/src/dialects', imports: [], rooms: ['.', 'messages', 'metadata', 'wire'] },
  { folder: 'packages/protocol/src/ports', imports: [], rooms: ['.', 'messages', 'wire'] },

  // sandbox
  {
    folder: 'packages/sandbox/src',
    imports: ['@casement/protocol'],
    globals: [...neutral, 'crypto', 'Request', 'Response', 'Headers'],
    rooms: ['policy', 'families'],
    door: ['release'],
  },
  { folder: 'packages/sandbox/src/generated', imports: [] },
  { folder: 'packages/sandbox/src/policy', rooms: ['.', 'families'] },
  { folder: 'packages/sandbox/src/families', rooms: ['generated'] },
  { folder: 'packages/sandbox/src/handler', rooms: ['.', 'policy', 'families', 'generated'] },
  { folder: 'packages/sandbox/src/pages', globals: browser, rooms: ['.'] },
  { folder: 'packages/sandbox/src/pages/proxy', rooms: ['.', 'pages', 'policy', 'families'] },
  // The guest's side: the shim is the app package's own, bundled into the page.
  {
    folder: 'packages/sandbox/src/pages/loader',
    imports: ['@casement/app/shim', '@casement/protocol'],
    typeOnly: ['@casement/protocol'],
    rooms: ['pages'],
  },
  // What the host brings into the guest for those who look for mistakes.
  {
    folder: 'packages/sandbox/src/pages/loader/evidence',
    imports: ['@casement/protocol'],
    typeOnly: ['@casement/protocol'],
    rooms: ['pages'],
    typesOf: ['pages/loader'],
  },
  {
    folder: 'packages/sandbox/src/pages/loader/openai',
    imports: [],
    rooms: ['pages', 'pages/loader', 'families'],
  },
  {
    folder: 'packages/sandbox/src/pages/loader/mcp-ui',
    imports: [],
    rooms: ['pages', 'pages/loader', 'families'],
  },

  // host
  {
    folder: 'packages/host/src',
    imports: ['@casement/protocol', '@casement/sandbox'],
    globals: [...neutral, 'crypto'],
    rooms: ['core/frame', 'core/load', 'core/session', 'dom', 'dom/sandbox'],
    typesOf: ['core', 'core/state'],
  },
  // What an embedder says and gets: options, limits, surface. Types, and the limits' values.
  { folder: 'packages/host/src/core', typesOf: ['core/consent', 'core/load', 'core/state', 'core/view'] },
  {
    folder: 'packages/host/src/core/state',
    rooms: ['core', 'core/evidence', 'core/loaded'],
    typesOf: ['core/load', 'core/policy'],
  },
  { folder: 'packages/host/src/core/policy', typesOf: ['core', 'core/state'] },
  { folder: 'packages/host/src/core/server', rooms: ['core/policy'], typesOf: ['core', 'core/state'] },
  { folder: 'packages/host/src/core/call', rooms: ['core', 'core/server'], typesOf: ['core/state'] },
  { folder: 'packages/host/src/core/view', rooms: ['core', 'core/state'], typesOf: ['core/frame'] },
  // What parts that are loaded later share with those that are there by then.
  {
    folder: 'packages/host/src/core/loaded',
    rooms: [
      'core',
      'core/app-tools',
      'core/frame',
      'core/load',
      'core/policy',
      'core/server',
      'core/session',
      'core/view',
    ],
  },
  {
    folder: 'packages/host/src/core/frame',
    rooms: ['core', 'core/loaded', 'core/state'],
    typesOf: ['core/evidence', 'core/load', 'core/view'],
  },
  // What an app's page reports of itself: loaded with the words for trouble.
  {
    folder: 'packages/host/src/core/evidence',
    rooms: ['core/loaded'],
    typesOf: ['core', 'core/frame', 'core/state'],
  },
  {
    folder: 'packages/host/src/core/consent',
    rooms: ['core/loaded', 'core/policy'],
    typesOf: ['core', 'core/handlers', 'core/state'],
  },
  {
    folder: 'packages/host/src/core/load',
    rooms: ['core', 'core/frame', 'core/handlers', 'core/loaded', 'core/view'],
    typesOf: ['core/leg', 'core/session', 'core/state'],
  },
  {
    folder: 'packages/host/src/core/app-tools',
    rooms: ['core', 'core/loaded'],
    typesOf: ['core/handlers', 'core/server', 'core/state'],
  },
  {
    folder: 'packages/host/src/core/handlers',
    rooms: ['core', 'core/consent', 'core/loaded', 'core/policy', 'core/server'],
    typesOf: ['core/app-tools', 'core/frame', 'core/leg', 'core/state', 'core/view'],
  },
  {
    folder: 'packages/host/src/core/leg',
    rooms: [
      'core',
      'core/app-tools',
      'core/frame',
      'core/handlers',
      'core/loaded',
      'core/policy',
      'core/server',
      'core/view',
    ],
    typesOf: ['core/state'],
  },
  {
    folder: 'packages/host/src/core/session',
    rooms: [
      'core',
      'core/call',
      'core/frame',
      'core/handlers',
      'core/leg',
      'core/load',
      'core/loaded',
      'core/policy',
      'core/state',
      'core/view',
    ],
    typesOf: ['core/evidence'],
  },
  {
    folder: 'packages/host/src/dom',
    globals: browser,
    rooms: [
      'core',
      'core/load',
      'core/loaded',
      'core/session',
      'core/view',
      'dom/chrome',
      'dom/crowd',
      'dom/focus',
      'dom/frame',
      'dom/sandbox',
      'dom/warm',
    ],
    typesOf: ['core/state'],
  },
  // Frames that wait for an app nobody has asked for yet.
  {
    folder: 'packages/host/src/dom/warm',
    rooms: ['core/load', 'core/session', 'core/state', 'dom', 'dom/focus', 'dom/frame'],
    typesOf: ['core'],
    door: ['ready-app', 'ready-bounds'],
  },
  {
    folder: 'packages/host/src/dom/crowd',
    rooms: ['dom', 'dom/chrome', 'dom/frame', 'generated'],
    typesOf: ['core/session'],
    door: ['crowd', 'join-crowd', 'members'],
  },
  {
    folder: 'packages/host/src/dom/chrome',
    rooms: ['core', 'dom', 'generated'],
    typesOf: ['core/state', 'dom/frame'],
  },
  { folder: 'packages/host/src/dom/focus', typesOf: ['dom/frame'] },
  {
    folder: 'packages/host/src/dom/frame',
    rooms: ['dom', 'dom/focus'],
    typesOf: ['core', 'core/state', 'core/view'],
  },
  { folder: 'packages/host/src/dom/sandbox', rooms: ['core/state'], typesOf: ['core'] },
  {
    folder: 'packages/host/src/element',
    imports: ['@casement/protocol'],
    globals: browser,
    rooms: ['core/loaded', 'dom'],
    typesOf: ['core', 'core/state'],
  },
  {
    folder: 'packages/host/src/dialogs',
    imports: ['@casement/protocol'],
    globals: browser,
    rooms: ['core/consent', 'dom', 'dom/chrome', 'dom/focus'],
    typesOf: ['core'],
  },
  // Style sheets as text.
  { folder: 'packages/host/src/generated', imports: [] },
  { folder: 'packages/host/src/prepare', imports: [], globals: browser, rooms: ['dom'] },
  {
    folder: 'packages/host/src/questions',
    imports: [],
    globals: browser,
    rooms: ['dom', 'dom/focus'],
  },

  // chat
  {
    folder: 'packages/chat/src',
    imports: ['@casement/protocol'],
    globals: [...neutral, 'crypto'],
    rooms: ['apps', 'conversation', 'message', 'model', 'scripted', 'shell', 'tools', 'turn'],
    door: ['conversation-failure', 'conversation-limits', 'until-aborted'],
  },
  { folder: 'packages/chat/src/message', rooms: [] },
  { folder: 'packages/chat/src/shell', rooms: ['message'] },
  { folder: 'packages/chat/src/model', rooms: ['.', 'message'] },
  { folder: 'packages/chat/src/scripted', rooms: ['model'] },
  { folder: 'packages/chat/src/apps', rooms: ['.', 'message', 'model'] },
  { folder: 'packages/chat/src/tools', rooms: ['.', 'apps', 'message'] },
  { folder: 'packages/chat/src/request', rooms: ['.', 'message', 'model', 'tools'] },
  { folder: 'packages/chat/src/turn', rooms: ['.', 'message', 'model', 'tools'] },
  {
    folder: 'packages/chat/src/conversation',
    rooms: ['.', 'apps', 'message', 'model', 'request', 'tools', 'turn'],
  },

  // checks: pure knowledge
  {
    folder: 'packages/checks/src',
    imports: ['@casement/protocol', '@casement/sandbox'],
    globals: neutral,
    rooms: ['doctor', 'html', 'policy', 'rules', 'source-map'],
  },
  // What the metadata of a resource allows, and the line that would allow more.
  { folder: 'packages/checks/src/policy', rooms: [] },
  { folder: 'packages/checks/src/doctor', rooms: ['policy'] },
  // What stands in an HTML document, read as text.
  { folder: 'packages/checks/src/html', rooms: [] },
  { folder: 'packages/checks/src/rules', rooms: ['html', 'policy'], typesOf: ['doctor'] },
  // From a place in what the browser ran to the author's source; a worker runs it.
  { folder: 'packages/checks/src/source-map', rooms: ['html'] },

  // react
  {
    folder: 'packages/react/src',
    imports: ['@casement/chat', '@casement/host', '@casement/protocol', 'react', 'react-dom'],
    globals: browser,
    rooms: ['app'],
  },
  { folder: 'packages/react/src/app', rooms: [] },
  { folder: 'packages/react/src/compat', rooms: ['app'] },
  {
    folder: 'packages/react/src/chat',
    rooms: ['chat/apps', 'chat/calls', 'chat/composer', 'chat/host', 'chat/shell', 'chat/thread'],
  },
  { folder: 'packages/react/src/chat/host', rooms: ['app'] },
  { folder: 'packages/react/src/chat/controls', rooms: ['chat/host'] },
  {
    folder: 'packages/react/src/chat/content',
    imports: ['@casement/chat', '@casement/host', '@casement/protocol', 'markdown-it', 'react'],
    rooms: ['chat/controls', 'chat/host'],
  },
  { folder: 'packages/react/src/chat/calls', rooms: ['chat/content', 'chat/controls', 'chat/host'] },
  { folder: 'packages/react/src/chat/apps', rooms: ['app', 'chat/controls', 'chat/host'] },
  {
    folder: 'packages/react/src/chat/composer',
    rooms: ['chat/calls', 'chat/content', 'chat/controls', 'chat/host'],
  },
  {
    folder: 'packages/react/src/chat/thread',
    rooms: ['chat/apps', 'chat/calls', 'chat/content', 'chat/controls', 'chat/host'],
  },
  {
    folder: 'packages/react/src/chat/shell',
    rooms: ['chat/apps', 'chat/composer', 'chat/host', 'chat/thread'],
  },

  // app: no package is installed with it
  {
    folder: 'packages/app/src',
    imports: [],
    globals: browser,
    rooms: ['session', 'transports', 'bridge'],
  },
  { folder: 'packages/app/src/generated' },
  { folder: 'packages/app/src/session' },
  { folder: 'packages/app/src/transports', rooms: ['session'] },
  { folder: 'packages/app/src/bridge', rooms: ['.', 'session'] },
  {
    folder: 'packages/app/src/iife',
    rooms: ['.', 'session', 'transports', 'bridge', 'generated'],
  },
  { folder: 'packages/app/src/shim', rooms: ['.', 'session', 'transports', 'bridge'] },
  { folder: 'packages/app/src/react', imports: ['react'], rooms: ['.', 'session'] },

  // server
  {
    folder: 'packages/server/src',
    imports: ['@casement/protocol', 'node:'],
    globals: node,
    rooms: ['ext-apps'],
  },
  { folder: 'packages/server/src/ext-apps', imports: ['@casement/protocol'] },

  // gateway: reading, facts and proxy below, then transport, doctor, connection, servers and http; chat beside them
  {
    folder: 'packages/gateway/src',
    imports: ['@casement/protocol', 'node:'],
    globals: node,
    rooms: ['chat', 'connection', 'entries', 'facts', 'http', 'servers', 'sign-in'],
  },
  // Bytes and texts of others, read within limits and by turns.
  { folder: 'packages/gateway/src/reading' },
  // What is known of a server without asking it.
  {
    folder: 'packages/gateway/src/facts',
    imports: ['@casement/protocol', '@casement/sandbox', 'node:'],
    typeOnly: ['@casement/sandbox'],
  },
  // Signing in to servers: what strangers name is fetched under guard, tokens are kept and sent to one origin.
  {
    folder: 'packages/gateway/src/sign-in',
    imports: ['@casement/protocol', '@modelcontextprotocol/client', '@napi-rs/keyring', 'node:'],
    rooms: ['facts', 'reading'],
    door: ['server-sign-in', 'sign-ins', 'store-key'],
  },
  // Messages over a pipe or HTTP.
  {
    folder: 'packages/gateway/src/transport',
    imports: ['@casement/protocol', '@modelcontextprotocol/client', 'node:'],
    rooms: ['facts', 'proxy', 'reading'],
  },
  // How a request leaves this machine: at once, or through the proxy of the environment.
  {
    folder: 'packages/gateway/src/proxy',
    imports: ['@casement/protocol', '@casement/sandbox', 'undici', 'node:'],
  },
  // The way to a server, step by step: what an attempt shows of itself, and what is found out when it fails.
  {
    folder: 'packages/gateway/src/doctor',
    imports: ['@casement/protocol', 'node:'],
    rooms: ['facts', 'proxy', 'transport'],
    door: ['reach-fault', 'server-doctor', 'slow-start'],
  },
  // One server: connecting, asking, failing.
  {
    folder: 'packages/gateway/src/connection',
    imports: ['@casement/protocol', '@modelcontextprotocol/client'],
    rooms: ['doctor', 'facts', 'reading', 'transport'],
    typesOf: ['sign-in'],
  },
  // Files that are saved, documents that change, and what follows.
  {
    folder: 'packages/gateway/src/watch',
    imports: ['@casement/protocol', 'node:'],
    rooms: ['facts'],
    door: ['app-documents', 'late-watch', 'server-watch'],
  },
  // What the API can ask of a server.
  {
    folder: 'packages/gateway/src/servers',
    imports: ['@casement/protocol', '@modelcontextprotocol/client'],
    typeOnly: ['@modelcontextprotocol/client'],
    rooms: ['connection', 'facts', 'reading', 'transport', 'watch'],
    typesOf: ['sign-in'],
  },
  // Configured servers: what is kept, what files say, what the user agreed to.
  {
    folder: 'packages/gateway/src/entries',
    imports: ['@casement/protocol', 'jsonc-parser', 'valibot', 'node:'],
    rooms: ['facts'],
    typesOf: ['servers'],
  },
  // One step of a model.
  {
    folder: 'packages/gateway/src/chat',
    imports: ['@casement/protocol', 'ai', '@ai-sdk', 'valibot'],
    rooms: ['proxy', 'reading'],
  },
  // Sockets, guards, the API, the page's files and the sandbox.
  {
    folder: 'packages/gateway/src/http',
    imports: ['@casement/protocol', '@casement/sandbox', 'hono', 'valibot', 'node:'],
    // The words of its typed client; nothing of it runs here.
    typeOnly: ['hono'],
    rooms: ['chat', 'facts', 'reading', 'sign-in'],
    typesOf: ['entries', 'servers'],
  },

  // inspector: a feature is a room; the door of each names what other features may use of it. `stage` takes what it
  // says about blocked loads from the Security tab, which knows nothing of the stage.
  {
    folder: 'packages/inspector/src',
    imports: [
      '@casement/chat',
      '@casement/checks',
      '@casement/host',
      '@casement/protocol',
      '@casement/react',
      '@casement/sandbox',
      '@casement/gateway',
      'hono/client',
      'react',
      'react-dom',
    ],
    typeOnly: ['@casement/gateway'],
    globals: browser,
    rooms: [
      'address',
      'call',
      'chat',
      'connection',
      'consent',
      'doctor',
      'page',
      'servers',
      'stage',
      'watch',
    ],
    door: ['main', 'store', 'use-inspector'],
  },
  {
    folder: 'packages/inspector/src/parts',
    imports: ['@casement/host', '@casement/protocol', 'react'],
    rooms: ['.'],
  },
  { folder: 'packages/inspector/src/address', imports: ['@casement/protocol'], rooms: ['.'] },
  {
    folder: 'packages/inspector/src/connection',
    imports: ['@casement/host', '@casement/protocol', '@casement/gateway', 'hono/client'],
    typeOnly: ['@casement/gateway'],
    rooms: ['.', 'address', 'start'],
    door: ['app-place', 'connection', 'gateway-client', 'kept-reports', 'page-recording'],
  },
  // The document's own script, which is there before the application.
  {
    folder: 'packages/inspector/src/start',
    imports: ['@casement/host'],
    rooms: ['address'],
    typesOf: ['.'],
    door: ['ask-access'],
  },
  { folder: 'packages/inspector/src/consent', imports: ['@casement/host'] },
  {
    folder: 'packages/inspector/src/servers',
    rooms: ['.', 'entries', 'parts', 'servers/connection', 'sign-in'],
    typesOf: ['connection'],
    door: [
      'declared-findings',
      'listed-ports',
      'server-entries',
      'server-list',
      'server-section',
      'tool-hints',
      'tool-order',
      'tool-section',
    ],
  },
  // What is asked and shown about configured servers; loaded with its first use.
  {
    folder: 'packages/inspector/src/entries',
    imports: ['@casement/gateway', '@casement/host', '@casement/protocol', 'react'],
    typeOnly: ['@casement/gateway'],
    rooms: ['.', 'connection', 'parts'],
    typesOf: ['servers'],
    door: ['entry-controls', 'entry-dialogs'],
  },
  // The steps to a server; loaded when they are looked at.
  {
    folder: 'packages/inspector/src/servers/connection',
    rooms: ['.', 'connection'],
    door: ['connection-steps'],
  },
  // The question before a sign-in, and the accounts.
  {
    folder: 'packages/inspector/src/sign-in',
    imports: ['@casement/gateway', '@casement/host', '@casement/protocol', 'react'],
    typeOnly: ['@casement/gateway'],
    rooms: ['.', 'connection', 'parts'],
    door: ['sign-in-panel', 'sign-in-question'],
  },
  // What is wrong with an app, and the views of that which stage and State tab share.
  {
    folder: 'packages/inspector/src/doctor',
    imports: ['@casement/checks', '@casement/gateway', '@casement/host', '@casement/protocol', 'react'],
    typeOnly: ['@casement/gateway', '@casement/host'],
    rooms: ['.', 'parts', 'source'],
    typesOf: ['connection', 'servers'],
    door: [
      'advice-list',
      'doctor',
      'doctor-line',
      'examined-app',
      'finding-list',
      'problem-text',
      'report-summary',
      'stage-reports',
      'stage-track',
      'stage-words',
    ],
  },
  // From a place in an app's code to the author's source, through a worker.
  {
    folder: 'packages/inspector/src/source',
    imports: ['@casement/checks', '@casement/host', '@casement/protocol', 'react'],
    rooms: ['parts'],
    door: ['app-code', 'show-source'],
  },
  {
    folder: 'packages/inspector/src/stage',
    imports: ['@casement/checks', '@casement/host', '@casement/protocol', '@casement/sandbox', 'react'],
    rooms: ['.', 'address', 'doctor', 'panels/security', 'parts', 'servers', 'source', 'watch'],
    door: [
      'app-first',
      'developers-words',
      'full-evidence',
      'host-context',
      'stage',
      'stage-element',
      'stage-section',
      'stage-types',
    ],
  },
  {
    folder: 'packages/inspector/src/watch',
    imports: ['@casement/host', '@casement/protocol', '@casement/gateway', 'react'],
    typeOnly: ['@casement/host', '@casement/gateway'],
    rooms: ['.', 'connection'],
    typesOf: ['servers', 'stage'],
    door: ['follow-watch', 'watch', 'watch-bar', 'watch-switch'],
  },
  {
    folder: 'packages/inspector/src/call',
    imports: ['@casement/protocol', 'react'],
    rooms: ['.', 'address', 'parts', 'servers'],
    typesOf: ['stage'],
    door: ['argument-memory', 'call-section', 'run-intent', 'workbench'],
  },
  {
    folder: 'packages/inspector/src/chat',
    rooms: ['.', 'address', 'doctor', 'parts', 'servers', 'stage'],
    typesOf: ['connection'],
    door: ['chat-apps', 'chat-pane', 'chat-room'],
  },
  {
    folder: 'packages/inspector/src/panels',
    imports: ['@casement/checks', '@casement/host', '@casement/protocol', 'react'],
    typeOnly: ['@casement/checks'],
    rooms: [
      '.',
      'address',
      'doctor',
      'panels/console',
      'panels/model',
      'panels/security',
      'panels/state',
      'panels/timeline',
      'parts',
      'source',
    ],
    typesOf: ['chat', 'servers'],
    door: ['inspect-tabs'],
  },
  {
    folder: 'packages/inspector/src/panels/console',
    imports: ['@casement/checks', '@casement/host', '@casement/protocol', 'react'],
    rooms: ['parts', 'source'],
    door: ['console-panel'],
  },
  {
    folder: 'packages/inspector/src/panels/model',
    imports: ['@casement/chat', '@casement/host', '@casement/protocol', 'react'],
    rooms: ['.', 'parts', 'servers'],
    typesOf: ['chat', 'stage'],
    door: ['model-view'],
  },
  {
    folder: 'packages/inspector/src/panels/security',
    imports: ['@casement/checks', '@casement/host', '@casement/protocol', '@casement/sandbox', 'react'],
    rooms: ['parts'],
    typesOf: ['connection'],
    door: ['permissions', 'security-panel', 'violation-groups'],
  },
  {
    folder: 'packages/inspector/src/panels/state',
    imports: [
      '@casement/checks',
      '@casement/host',
      '@casement/protocol',
      '@casement/sandbox',
      '@casement/gateway',
      'react',
    ],
    typeOnly: ['@casement/gateway'],
    rooms: ['doctor', 'parts', 'servers', 'source'],
    door: ['state-panel'],
  },
  {
    folder: 'packages/inspector/src/panels/timeline',
    imports: ['@casement/protocol', 'react'],
    rooms: ['.', 'parts'],
    door: ['timeline-panel', 'timeline-query'],
  },
  {
    folder: 'packages/inspector/src/page',
    imports: ['react'],
    rooms: ['.', 'address', 'call', 'chat', 'entries', 'panels', 'parts', 'servers', 'sign-in', 'stage'],
    door: ['inspector-page'],
  },

  // casement
  {
    folder: 'packages/casement/src',
    imports: ['@casement/gateway', '@casement/protocol', 'open', 'node:'],
    globals: node,
  },

  // examples
  {
    folder: 'examples/weather-server/src',
    imports: ['@casement/server', '@modelcontextprotocol/server', 'zod', 'node:'],
    globals: node,
  },
  { folder: 'examples/weather-server/src/app', imports: ['@casement/app'], globals: browser, rooms: ['.'] },
];

const isAround = (outer, inner) => inner.startsWith(`${outer}/`);

/** The deepest row whose folder holds a path. */
const findAround = (path) =>
  rows.filter(({ folder }) => isAround(folder, path)).sort((a, b) => b.folder.length - a.folder.length)[0];

const toWholeRow = (row) => {
  if (row.imports && row.globals) return row;
  const around = toWholeRow(findAround(row.folder));
  return {
    ...row,
    imports: row.imports ?? around.imports,
    typeOnly: row.typeOnly ?? (row.imports ? [] : around.typeOnly),
    globals: row.globals ?? around.globals,
  };
};

/** The table with what each row takes from the row around it. */
export const boundaries = rows.map(toWholeRow);

/** The room that a file belongs to, as a row of the table. */
export const findRoom = (file) => {
  const row = findAround(file);
  return row && boundaries.find(({ folder }) => folder === row.folder);
};

/** The folder of sources that a room's names are relative to. */
export const toSourceFolder = (path) => /^(?:packages|examples)\/[^/]+\/src(?=\/|$)/.exec(path)?.[0];
