/**
 * The relay between one host page and one guest frame. Its rules:
 *
 *  1. Two windows are heard: our parent, speaking from the host's origin, and our one frame, speaking from the
 *     app's origin. Everything else is ignored. Transferred ports are closed. Of the witness that is called when the
 *     app is silent (guest-health) only that it speaks is heard, never what it says.
 *  2. Everything is posted to exactly one origin; only an opaque guest, which has none, is reached by window alone.
 *  3. Methods beginning `ui/notifications/sandbox-` belong to this page and are never relayed, in either direction.
 *  4. From the guest only JSON-RPC objects pass, rebuilt from their JSON text, at most 4 MB each: cycles, maps,
 *     blobs and bottomless nesting end here, in this page's process.
 *  5. The guest has a token bucket. What it drops is counted to the host in batches, and the first dropped
 *     requests get an error reply, so that an honest app does not wait for ever.
 *  6. The HTML is accepted once, kept, and handed to the loader, which is known by a word that no guest code can have
 *     heard (guest-frame). Whoever says it is the loader without that word, be it the document after a reload or guest
 *     code, has its whole frame made anew, and the loader there is handed the app.
 *     With it goes a port on which the loader, and no guest code, answers beats and says when its document goes away
 *     (guest-health). The host is told when the guest's thread falls silent, answers again, or ended unannounced, and
 *     how long this page stood still, which is the guest's doing where the browser runs both on one thread. The
 *     watch over a document ends when the next loader is handed the app, or its place was taken by no app at all.
 *  7. Every load of the frame is told to the host with its number since the last loader-ready, and with the loader's
 *     word that the app's document went away: the host decides whether the app is still the app. One load puts nothing
 *     in doubt and is told as the app's own: the second, when the written document itself says it has loaded. A guest
 *     that lies about it hides nothing but its own blank page.
 *  8. The page makes no request of its own, toward host or guest (SANDBOX-013).
 *  9. The compatibility shim in the loader asks here before it shakes hands for an app: it may, unless this document
 *     has sent its own ui/initialize. It gets no other right than that word.
 * 10. The host may ask how the user used the app: when its loader last saw a press, and whether the browser counts an
 *     action as this page's, which only those in the app below are. The answer goes through the port of the question.
 * 11. The host may give the loader a script that reads the view of the app's page, its scroll positions and form
 *     fields, or fills it in again, or that reads a text as the app could. What comes back is the guest's word, so it is
 *     rebuilt from its JSON text, within a bound, and reaches the host on the port of that one question.
 * 12. What the guest reports of itself (violations, errors, evidence) costs tokens like any message, is rebuilt within
 *     bounds, and can forge nothing but itself.
 * 13. Of what passes toward the guest one word is read besides the method: the host's theme, which colours this page.
 */
import { toEvidence, toPageLoad, toScriptError, toViolation } from './forgeable-reports.js';
import { createGuestPlace, type GuestPlace } from './guest-frame.js';
import { createGuestHealth } from './guest-health.js';
import { isObject, type Message } from '../is-object.js';
import { mayHaveParent } from '../parent-origin.js';
import { SANDBOX_RELEASE } from '../../release.js';

const RESERVED = 'ui/notifications/sandbox-';
const DROP_REPORT_MS = 100;
const LOAD_PAUSE_MS = 150;
const MAX_ERROR_REPLIES = 20;
/** The characters of one view, in the form of JSON; a loader stays far below. */
const MAX_VIEW_LENGTH = 512 * 1024;
/** The pieces of one answer: a text of 10 MB has fewer. */
const MAX_PIECES = 200;
/** The questions that wait for an answer. */
const MAX_ASKED = 20;

/** The reports of a loader about the app's page, which the host may want none of. */
const isAboutApp: ReadonlySet<string> = new Set(['violation', 'script-error', 'evidence']);

type DropReason = 'flood' | 'too-large' | 'not-json-rpc' | 'reserved';

/** The app as it goes to the loader: its HTML, or the address of an app that is a page elsewhere. */
interface Resource {
  readonly html: string;
  readonly shim?: true;
  readonly url?: string;
  readonly evidence?: string;
  readonly evidenceScript?: string;
}

/** The two ends of a relay. */
export interface RelayOptions {
  readonly hostOrigin: string;
  /** Origin the guest's messages come from; `null` as text for an opaque guest. */
  readonly guestOrigin: string;
  /** Called with the params of the first sandbox-resource-ready. */
  onResource?(params: Message): void;
}

/** The time on the clock that documents of other processes share. */
const readNow = (): number => performance.timeOrigin + performance.now();

const toMethod = (value: unknown): string | undefined => {
  const method = isObject(value) ? value['method'] : undefined;
  return typeof method === 'string' ? method.slice(0, 200) : undefined;
};

/**
 * Lets this page follow the theme the host tells the app, which it can read as it passes. A frame whose colour scheme
 * differs from that of the page in it gets an opaque canvas: an app that takes on the dark theme would stand on a
 * patch of another dark than the host's, while one that knows no themes needs the white canvas to be readable.
 * (`prefers-color-scheme` would not do: in Chromium it tells the system's theme, not the host's.)
 */
const followTheme = (message: Message): void => {
  const { method, params, result } = message;
  const context =
    method === 'ui/notifications/host-context-changed'
      ? params
      : isObject(result)
        ? result['hostContext']
        : undefined;
  const theme = isObject(context) ? context['theme'] : undefined;
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
};

/** Starts relaying; `attach` puts the guest's frame into the page, at once or when its policy has arrived. */
export const startRelay = (options: RelayOptions): { attach(build: () => HTMLIFrameElement): void } => {
  const bucket = createTokenBucket();
  const drops = new Map<DropReason, { count: number; method?: string }>();
  let errorReplies = 0;
  let place: GuestPlace | undefined;
  let witness: HTMLIFrameElement | undefined;
  let resource: Resource | undefined;
  let loaderIsWaiting = false;
  let loadsSinceLoader: number | undefined;
  let appHasLoaded = false;
  let leftAt = Infinity;
  let appHasGreeted = false;
  let documentAt = 0;
  let pressedAt: number | undefined;
  let hasActed = false;
  let asked = 0;
  const answers = new Map<unknown, { readonly port: MessagePort; room: number }>();

  const postToHost = (method: string, params: Message): void => {
    window.parent.postMessage({ jsonrpc: '2.0', method: RESERVED + method, params }, options.hostOrigin);
  };
  const postToGuest = (message: Message, ports: MessagePort[] = []): void => {
    const target = options.guestOrigin === 'null' ? '*' : options.guestOrigin;
    place?.frame.contentWindow?.postMessage(message, target, ports);
  };

  const reportDrops = (): void => {
    for (const [reason, drop] of drops) postToHost('dropped', { reason, ...drop });
    drops.clear();
    errorReplies = 0;
  };
  const drop = (reason: DropReason, data: unknown): void => {
    if (drops.size === 0) setTimeout(reportDrops, DROP_REPORT_MS);
    const method = toMethod(data);
    const known = drops.get(reason) ?? { count: 0, ...(method === undefined ? {} : { method }) };
    drops.set(reason, { ...known, count: known.count + 1 });
    const id = isObject(data) ? data['id'] : undefined;
    const isRequest = method !== undefined && (typeof id === 'string' || typeof id === 'number');
    if (!isRequest || (errorReplies += 1) > MAX_ERROR_REPLIES) return;
    const message = { flood: 'Too many messages', 'too-large': 'Message is larger than 4 MB' }[
      String(reason)
    ];
    postToGuest({ jsonrpc: '2.0', id, error: { code: -32000, message: message ?? 'Message refused' } });
  };

  const reportFrame = (more: Message): void => {
    postToHost('frame-loaded', { sinceLoaderReady: loadsSinceLoader ?? 0, ...more });
  };
  const reportLoad = (firedAt: number): void => {
    // A load of the document before this one, whose report came too late to count.
    if (firedAt < documentAt) return;
    health.replaced();
    if (loadsSinceLoader !== undefined) loadsSinceLoader += 1;
    // The app may have left since: only what loaded afterwards took its place.
    const hasLeft = firedAt > leftAt;
    if (hasLeft) health.stop();
    if (loadsSinceLoader === 2 && appHasLoaded && !hasLeft) reportFrame({ app: true });
    else reportFrame(hasLeft ? { left: true } : {});
  };
  /** Another document of the app's origin, with the same attributes, policy and rights as the app and no HTML. */
  const addWitness = (): void => {
    // A clone of a frame element is one; the DOM types only say Node.
    witness = place?.frame.cloneNode() as HTMLIFrameElement | undefined;
    if (witness === undefined) return;
    witness.removeAttribute('name');
    witness.style.display = 'none';
    document.body.append(witness);
  };
  const health = createGuestHealth({
    onState: (state) => {
      postToHost('app-health', { state });
      if (state === 'silent' && options.guestOrigin !== 'null') addWitness();
      else witness?.remove();
    },
    onStandstill: (ms) => postToHost('app-health', { state: 'stood-still', ms: Math.round(ms) }),
    onFarewell: (at) => {
      leftAt = at;
      // Its successor's load may have been faster than its farewell.
      if ((loadsSinceLoader ?? 0) <= (appHasLoaded ? 2 : 1)) return;
      health.stop();
      reportFrame({ left: true });
    },
    onPress: () => {
      pressedAt = performance.now();
      hasActed = true;
    },
    onInput: () => (hasActed = true),
    onView: (given, id) => {
      const answer = answers.get(id);
      if (!answer) return;
      const view = toView(given);
      const isMore = isObject(view) && view['more'] === true && (answer.room -= 1) > 0;
      answer.port.postMessage(view);
      if (!isMore) answers.delete(id);
    },
  });
  const answerUse = (port: MessagePort | undefined): void =>
    port?.postMessage({
      ...(pressedAt === undefined ? {} : { sincePress: performance.now() - pressedAt }),
      // A browser that does not tell refuses nobody.
      isActive: navigator.userActivation?.isActive ?? true,
      // Not the browser's own hasBeenActive, which a frame inherits.
      hasActed,
    });

  const handOver = (): void => {
    if (!loaderIsWaiting || resource === undefined) return;
    loaderIsWaiting = false;
    postToGuest({ jsonrpc: '2.0', method: `${RESERVED}resource-ready`, params: { ...resource } }, [
      health.watch(),
    ]);
  };
  /** A document that says it is a loader and does not know the word: a reload, or guest code. */
  const renewGuest = (): void => {
    // Guest code may have moved into the witness too, and from there it could reach into the new frame.
    witness?.remove();
    health.awaitNext();
    leftAt = Infinity;
    place?.renew();
  };
  const onLoaderReady = (at: unknown, storage: unknown): void => {
    health.replaced();
    documentAt = typeof at === 'number' ? Math.min(at, readNow()) : 0;
    loadsSinceLoader = 0;
    appHasLoaded = false;
    leftAt = Infinity;
    appHasGreeted = false;
    loaderIsWaiting = true;
    postToHost('loader-ready', storage === 'blocked' ? { storage } : {});
    handOver();
  };

  const onHostMessage = (data: unknown, port: MessagePort | undefined): void => {
    const method = toMethod(data);
    if (!isObject(data)) return;
    if (method === `${RESERVED}use-asked`) return answerUse(port);
    if (method === `${RESERVED}view`) {
      asked += 1;
      if (port) answers.set(asked, { port, room: MAX_PIECES });
      // A loader that never answers must not keep ports for ever.
      answers.delete(asked - MAX_ASKED);
      return health.tell(isObject(data['params']) ? { ...data['params'], asked } : undefined);
    }
    if (!method?.startsWith(RESERVED)) {
      followTheme(data);
      return postToGuest(data);
    }
    const params = data['params'];
    if (method !== `${RESERVED}resource-ready` || resource !== undefined || !isObject(params)) return;
    const { html, shim, url, evidence, evidenceScript } = params;
    if (typeof html !== 'string') return;
    resource = {
      html,
      ...(shim === true ? { shim } : {}),
      ...(typeof url === 'string' ? { url } : {}),
      ...(typeof evidence === 'string' ? { evidence } : {}),
      ...(typeof evidenceScript === 'string' ? { evidenceScript } : {}),
    };
    options.onResource?.(params);
    handOver();
  };

  const onGuestMessage = (data: unknown): void => {
    if (!bucket.take(1)) return drop('flood', data);
    const read = readGuestMessage(data);
    if ('refused' in read) return drop(read.refused, read.data);
    const { message, length } = read;
    const method = toMethod(message) ?? '';
    const isReady = method === `${RESERVED}loader-ready`;
    const { at, pass, storage } = isReady && isObject(message['params']) ? message['params'] : {};
    const isLoader = isReady && place?.takePass(pass) === true;
    if (!bucket.take(toCost(isLoader ? (resource?.html.length ?? 0) : length))) return drop('flood', message);
    appHasGreeted ||= method === 'ui/initialize';
    if (!method.startsWith(RESERVED)) window.parent.postMessage(message, options.hostOrigin);
    else if (isLoader) onLoaderReady(at, storage);
    else if (isReady) renewGuest();
    else onLoaderReport(method.slice(RESERVED.length), message);
  };
  const onLoaderReport = (name: string, message: Message): void => {
    // Nobody asked for it: guest code says it, in the form of a loader that says nothing.
    if (resource?.evidence === 'none' && isAboutApp.has(name)) return;
    if (name === 'violation') postToHost(name, toViolation(message['params']));
    else if (name === 'script-error') postToHost(name, toScriptError(message['params']));
    else if (name === 'evidence') postToHost(name, toEvidence(message['params']));
    else if (name === 'app-loaded') appHasLoaded = true;
    else if (name === 'page-loaded') postToHost(name, toPageLoad(message['params']));
    else if (name === 'shim-ready' && resource?.shim) {
      if (!appHasGreeted) postToGuest({ jsonrpc: '2.0', method: `${RESERVED}shim-start`, params: {} });
    } else drop('reserved', message);
  };

  window.addEventListener('message', (event) => {
    if (event.source === window.parent && event.origin === options.hostOrigin) {
      onHostMessage(event.data, event.ports[0]);
      return;
    }
    // Only the host sends a port along that is of use.
    for (const port of event.ports) port.close();
    if (event.source === place?.frame.contentWindow && event.origin === options.guestOrigin)
      onGuestMessage(event.data);
    else if (event.source === witness?.contentWindow && event.origin === options.guestOrigin)
      health.onWitness();
  });

  return {
    attach: (build) => {
      place = createGuestPlace({
        build,
        onLoad: (frame) => {
          const firedAt = readNow();
          // A document speaks before its load event but may be heard after it; the pause puts them in their true order.
          setTimeout(() => frame === place?.frame && reportLoad(firedAt), LOAD_PAUSE_MS);
        },
      });
    },
  };
};

/** Tells the host that this page can take the HTML (SANDBOX-003), its release, and the origin of its app, if that has one. */
export const announceProxy = (hostOrigin: string, app?: string): void => {
  const params = { release: SANDBOX_RELEASE, ...(app === undefined ? {} : { app }) };
  window.parent.postMessage({ jsonrpc: '2.0', method: `${RESERVED}proxy-ready`, params }, hostOrigin);
};

/** Whether this page is framed by the host it was made for; top-level or under a stranger it does nothing (A46). */
export const isFramedBy = (hostOrigin: string | undefined): hostOrigin is string =>
  hostOrigin !== undefined &&
  window.parent !== window &&
  hostOrigin !== window.location.origin &&
  mayHaveParent(hostOrigin);

// What a guest may send: how often, how much, and JSON-RPC alone (rules 4 and 5).

/** A busy app (a pointer drag at 120 Hz, a burst of logs at start) stays far below; a flood is cut at the door. */
const BURST = 1000;
const PER_SECOND = 250;
const LENGTH_PER_TOKEN = 32 * 1024;
const MAX_MESSAGE_LENGTH = 4 * 1024 * 1024;

/** The tokens a message costs besides its first, so that a few huge messages cost as much as many small ones. */
const toCost = (length: number): number => Math.floor(length / LENGTH_PER_TOKEN);

/** Creates a bucket that holds 1000 tokens and gets 250 new ones a second. */
export const createTokenBucket = (now: () => number = () => performance.now()) => {
  let tokens = BURST;
  let filledAt = now();
  return {
    take: (count: number): boolean => {
      const time = now();
      tokens = Math.min(BURST, tokens + ((time - filledAt) / 1000) * PER_SECOND);
      filledAt = time;
      if (tokens < count) return false;
      tokens -= count;
      return true;
    },
  };
};

/**
 * Whether a value's JSON text stays below a limit, without making that text: structured clone keeps shared
 * references, so a few nested objects can unfold to gigabytes. Everything is counted as often as it would be written;
 * a cycle runs into the limit like anything else that is too long.
 */
export const isLengthWithin = (value: unknown, limit: number): boolean => {
  const open: unknown[] = [value];
  let length = 0;
  while (open.length > 0) {
    const next = open.pop();
    length += typeof next === 'string' ? next.length + 2 : 2;
    if (typeof next === 'object' && next !== null) {
      const keys = Object.keys(next);
      if (!Array.isArray(next)) for (const key of keys) length += key.length;
      // Before the parts are put on the stack: a wide object must not cost more than the limit allows.
      if (length + keys.length > limit) return false;
      for (const key of keys) open.push(Reflect.get(next, key));
    }
    if (length > limit) return false;
  }
  return true;
};

/** A view as JSON can hold it; null for one that is too long, or holds what JSON cannot. */
const toView = (view: unknown): unknown => {
  try {
    return isLengthWithin(view, MAX_VIEW_LENGTH) ? JSON.parse(JSON.stringify(view)) : null;
  } catch {
    return null;
  }
};

const isJsonRpc = (value: unknown): value is Message =>
  isObject(value) &&
  value['jsonrpc'] === '2.0' &&
  (typeof value['method'] === 'string' || 'result' in value || 'error' in value);

/** A message rebuilt from its JSON text, or why it may not pass and what of it could be read. */
type GuestMessage =
  | { readonly message: Message; readonly length: number }
  | { readonly refused: 'too-large' | 'not-json-rpc'; readonly data: unknown };

/** Reads what a guest posted; only JSON-RPC of at most 4 MB passes. */
export const readGuestMessage = (data: unknown): GuestMessage => {
  if (!isLengthWithin(data, MAX_MESSAGE_LENGTH)) return { refused: 'too-large', data };
  let text: string | undefined;
  let message: unknown;
  try {
    text = JSON.stringify(data);
    if (text.length > MAX_MESSAGE_LENGTH) return { refused: 'too-large', data };
    message = JSON.parse(text);
  } catch {
    return { refused: 'not-json-rpc', data };
  }
  return isJsonRpc(message) ? { message, length: text.length } : { refused: 'not-json-rpc', data: message };
};
