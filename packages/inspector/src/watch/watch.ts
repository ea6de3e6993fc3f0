import type { GatewayEvent } from '@casement/gateway';
import type { AppSnapshot } from '@casement/host';
import type { Recording, Tool } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { readToolUi } from '@casement/protocol/resource';
import { readAnswer, type GatewayClient } from '../connection/gateway-client.js';
import type { ListedServer, ServerList } from '../servers/server-list.js';
import type { Stage, StagedCall } from '../stage/stage-types.js';
import type { Readable } from '../store.js';
import { createStore } from '../store.js';
import type { CallOutcome, WatchChange } from './change-words.js';
import { toCallWords, toChangeWords } from './change-words.js';
import { createPoll } from './poll.js';

/*
 * What the page does when an app on its stage is not what its server would deliver now.
 *
 * 1. Watched: the app is shown anew, with what the user typed and where they scrolled. Its call is made again only if
 *    the tool says that it reads, or the user switched that on; otherwise the new app is told the recorded result.
 * 2. Not watched: the page says so and offers to do the same.
 * 3. One at a time: what changes while an app is coming up is dealt with when it is there, once.
 * 4. A server that does not start leaves the app from before where it is.
 */

/** What is said of the last change. */
interface WatchNote {
  readonly text: string;
  readonly isProblem?: boolean;
  /** There is a newer app that waits for the user. */
  readonly offersReload?: boolean;
}

/** What the page shows of watching. */
interface WatchState {
  readonly note?: WatchNote;
  /** The tool whose call would be made again, and why; undefined while nothing is watched or on the stage. */
  readonly repeat?: { readonly tool: string; readonly saysItReads: boolean; readonly isChosen: boolean };
}

/** Follows changes of servers and of the document on the stage. */
export interface Watch extends Readable<WatchState> {
  hear(event: GatewayEvent): void;
  /** Whether the call of the tool on the stage is made again after a change, though it may do more than read. */
  setRepeat(isOn: boolean): void;
  /** Shows the newer app; nothing is called again. */
  reload(): void;
}

/** What a watch acts on. */
export interface WatchParts {
  readonly stage: Stage;
  readonly servers: ServerList;
  readonly client: Pick<GatewayClient, 'api'>;
  readonly recording: Pick<Recording, 'append'>;
}

/** A server that was started anew, or a document that is another one; with what was saved, if that is known. */
interface Change {
  readonly isRestart: boolean;
  readonly words: string;
}

/** A document that changes so soon after a save changed by that. */
const savedMs = 10_000;
/** How long the next change waits for an app that does not come up. */
const settleMs = 5_000;

const saysItReads = (tool: Tool): boolean => tool.annotations?.readOnlyHint === true;

const isSettled = ({ snapshot, call }: ReturnType<Stage['getSnapshot']>): boolean =>
  call.status !== 'running' &&
  (snapshot === undefined || ['ready', 'failed', 'closed'].includes(snapshot.status));

/** Creates the watch of one page. */
export const createWatch = ({ stage, servers, client, recording }: WatchParts): Watch => {
  const store = createStore<WatchState>({});
  /** The tools, by server, whose call the user lets be made again; for this page load alone. */
  const repeated = new Set<string>();
  /** The hash of each document as the gateway read it last. */
  const latest = new Map<string, string>();
  /** The session whose document is delivered with other metadata now. */
  let staleSession: string | undefined;
  let isShowing = false;
  /** What was shown anew last, so that it is not tried again. */
  let tried = '';
  /** Ends the wait for an app that is coming up. */
  let endWait = (): void => undefined;
  /** A change that came while an app was being shown. */
  let next: Change | undefined;
  /** What was saved last. */
  let saved: { readonly change: WatchChange; readonly at: number } | undefined;

  const change = (patch: WatchState): void => store.set({ ...store.getSnapshot(), ...patch });
  const say = (text: string, more: Omit<WatchNote, 'text'> = {}): void =>
    change({ note: { text: `${text}.`, ...more } });

  const findServer = (): ListedServer | undefined => {
    const { staged } = stage.getSnapshot();
    return servers.all().find(({ port }) => port.identity === staged?.port.identity);
  };
  const toKey = ({ port, tool }: StagedCall): string => JSON.stringify([port.identity, tool.name]);
  const mayRepeat = (staged: StagedCall): boolean => saysItReads(staged.tool) || repeated.has(toKey(staged));
  const toDocumentKey = (server: string, uri: string): string => JSON.stringify([server, uri]);

  /** Whether the app on the stage is another than its server would deliver now. */
  const isStale = (server: ListedServer, { resource, session }: AppSnapshot): boolean => {
    const hash = resource && latest.get(toDocumentKey(server.summary.name, resource.uri));
    return (hash !== undefined && hash !== resource?.hash) || staleSession === session;
  };

  const waitUntilSettled = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, settleMs);
      const stop = stage.subscribe(() => isSettled(stage.getSnapshot()) && end());
      endWait = end;
      if (isSettled(stage.getSnapshot())) end();
    });

  /** The tool of the stage as its server lists it now; undefined when it is gone. */
  const findTool = async ({ summary: { name } }: ListedServer, { tool }: StagedCall) => {
    await servers.listed(name);
    const server = servers.find(name);
    // A list that could not be read says nothing about the tool.
    return server?.listing === 'read' ? server.tools.find((one) => one.name === tool.name) : tool;
  };

  /**
   * Reads the document, for the app that will be shown: as long as that cannot be done, the app from before stays. Gives
   * whether it is the one that is shown already; undefined when it could not be read.
   */
  const readDocument = async ({ tool, resources }: StagedCall): Promise<boolean | undefined> => {
    const { snapshot } = stage.getSnapshot();
    const uri = readToolUi(tool).resourceUri;
    if (uri === undefined || !snapshot?.resource) return false;
    stage.begin();
    const read = await resources.read(uri).catch(() => undefined);
    if (!read) return undefined;
    const isSamePolicy = JSON.stringify(read.csp) === JSON.stringify(snapshot.policy?.declared);
    const isSame = uri === snapshot.resource.uri && read.hash === snapshot.resource.hash && isSamePolicy;
    return isSame && snapshot.status === 'ready' && !snapshot.failure;
  };

  const isReady = (name: string): boolean => servers.find(name)?.summary.status === 'ready';

  const renew = async ({ isRestart, words }: Change, mayCall: boolean): Promise<void> => {
    const { staged, snapshot } = stage.getSnapshot();
    const server = findServer();
    if (!staged || !server || !snapshot || snapshot.status === 'closed') return say(words);
    const { name } = server.summary;
    // It is being started anew once more, and will be told of again.
    if (!isReady(name)) return;
    const [tool, isSame, view] = await Promise.all([
      findTool(server, staged),
      readDocument(staged),
      stage.readView().catch(() => undefined),
    ]);
    if (!isReady(name) || stage.getSnapshot().snapshot?.session !== snapshot.session) return;
    if (!tool)
      return say(`${words}; the server has no tool ${toPrintable(staged.tool.name, 60)} any more`, {
        isProblem: true,
      });
    const isRepeated = mayCall && mayRepeat({ ...staged, tool });
    const isToolSame = JSON.stringify(tool) === JSON.stringify(staged.tool);
    if (isRestart && !isRepeated && isToolSame && isSame) return say(`${words}; the app is the same`);
    const hasResult = stage.getSnapshot().call.status === 'done';
    if (!stage.renew({ tool, view, isRepeated })) return say(words);
    const outcome: CallOutcome = isRepeated ? 'repeated' : hasResult ? 'recorded' : 'none';
    say(`${words}; app shown anew${toCallWords(outcome, tool.name, saysItReads(tool))}`);
    const raw = { type: 'shown-anew', server: name, tool: tool.name, call: outcome };
    recording.append({
      session: `server:${name}`,
      epoch: 0,
      leg: 'none',
      dir: 'none',
      kind: 'lifecycle',
      raw,
    });
    await waitUntilSettled();
  };

  const show = async (what: Change, mayCall = true): Promise<void> => {
    if (isShowing) {
      next = what;
      return;
    }
    isShowing = true;
    try {
      await renew(what, mayCall);
    } finally {
      isShowing = false;
      const waiting = next;
      next = undefined;
      if (waiting !== undefined && (waiting.isRestart || isStaleNow())) void show(waiting);
      else look();
    }
  };

  const toDocumentWords = (): string =>
    saved && performance.now() - saved.at < savedMs
      ? toChangeWords({ ...saved.change, step: 'read' })
      : 'The app was changed';

  /** Also of an app that does not come up: it may have been read while its file was half written. */
  const isStaleNow = (): boolean => {
    const server = findServer();
    const { snapshot } = stage.getSnapshot();
    return (
      server !== undefined &&
      snapshot !== undefined &&
      ['handshake', 'ready', 'failed'].includes(snapshot.status) &&
      isStale(server, snapshot)
    );
  };

  /** Shows a newer app, once for each: what cannot be shown now is not tried without end. */
  const showOnce = (snapshot: AppSnapshot | undefined): void => {
    const key = JSON.stringify([snapshot?.session, staleSession, [...latest]]);
    if (key === tried) return;
    tried = key;
    void show({ isRestart: false, words: toDocumentWords() });
  };

  /** Looks at the stage: what is on it may have become old, or new again. */
  const look = (): void => {
    const { staged, snapshot } = stage.getSnapshot();
    const server = findServer();
    const isWatched = server?.summary.watch !== undefined;
    const repeat =
      isWatched && staged && snapshot
        ? {
            tool: staged.tool.title ?? staged.tool.name,
            saysItReads: saysItReads(staged.tool),
            isChosen: repeated.has(toKey(staged)),
          }
        : undefined;
    if (JSON.stringify(repeat) !== JSON.stringify(store.getSnapshot().repeat)) change({ repeat });
    const { note } = store.getSnapshot();
    const isOld = isStaleNow();
    // What is coming up is old already: nobody waits for it.
    if (isShowing && isOld) endWait();
    if (isShowing) return;
    if (isOld && isWatched) showOnce(snapshot);
    else if (isOld && !note?.offersReload) say('The app has changed', { offersReload: true });
    else if (!isOld && note?.offersReload) change({ note: undefined });
  };
  const poll = createPoll(async () => {
    const { resource } = stage.getSnapshot().snapshot ?? {};
    const server = findServer();
    if (resource === undefined || server === undefined) return;
    const { name } = server.summary;
    await readAnswer(
      client.api.servers[':name'].watch.look.$post({ param: { name }, json: { uri: resource.uri } }),
    );
  });
  const follow = (): void => {
    look();
    const { summary } = findServer() ?? {};
    // The files of a process are watched by the gateway; an address can only be asked.
    poll.set(summary?.watch !== undefined && summary.kind === 'http');
  };
  stage.subscribe(follow);
  servers.subscribe(follow);

  const hearChange = (server: string, seen: WatchChange): void => {
    saved = { change: seen, at: performance.now() };
    const isStaged = findServer()?.summary.name === server;
    if (seen.step === 'restarted' && isStaged) void show({ isRestart: true, words: toChangeWords(seen) });
    else if (seen.step === 'failed')
      say(`${toChangeWords(seen)} The next save tries again`, { isProblem: true });
    // What is being shown, or was a moment ago, says more.
    else if (seen.step === 'seen' || (!isShowing && seen.resources?.length === 0)) say(toChangeWords(seen));
  };

  follow();
  return {
    getSnapshot: store.getSnapshot,
    subscribe: store.subscribe,
    hear(event) {
      if (event.type === 'watch-change') return hearChange(event.server, event.change);
      const { snapshot } = stage.getSnapshot();
      if (event.type === 'app-changed') {
        const { staged } = stage.getSnapshot();
        const uri = snapshot?.resource?.uri ?? (staged && readToolUi(staged.tool).resourceUri);
        const isShown = findServer()?.summary.name === event.server && uri === event.uri;
        latest.set(toDocumentKey(event.server, event.uri), event.hash);
        // The same text with other metadata, or an app that failed before it had a text: only the gateway has read it yet.
        const isUnseen = snapshot?.resource
          ? snapshot.resource.hash === event.hash
          : snapshot?.status === 'failed';
        if (isShown && isUnseen && event.by !== 'read') staleSession = snapshot?.session;
        return look();
      }
      const isChange =
        event.type === 'list-changed' ? event.list === 'resources' : event.type === 'resource-updated';
      if (isChange && 'server' in event && event.server === findServer()?.summary.name) poll.now();
    },
    setRepeat(isOn) {
      const { staged } = stage.getSnapshot();
      if (!staged) return;
      if (isOn) repeated.add(toKey(staged));
      else repeated.delete(toKey(staged));
      look();
    },
    reload: () => void show({ isRestart: false, words: 'The app has changed' }, false),
  };
};
