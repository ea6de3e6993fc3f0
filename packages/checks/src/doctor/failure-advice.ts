import type { ErrorCode, SessionStep } from '@casement/protocol';
import { findBlockedLoad } from '@casement/protocol/reports';
import { toPrintable } from '@casement/protocol/basics';
import { findPolicyList, toDirectiveName } from '../policy/policy-lists.js';
import type { AppFacts, SeenFailure, SeenViolation } from './doctor-facts.js';
import type { SeenPlace } from './report.js';

/** What to say about a failure besides what was seen. */
export interface FailureAdvice {
  title: string;
  cause: string;
  fix: string;
}

const titles: Record<SessionStep, string> = {
  resource: 'The app could not be read',
  sandbox: 'The sandbox did not open',
  html: 'The HTML did not run',
  handshake: 'The app did not begin the handshake',
  initialized: 'The app did not finish the handshake',
  running: 'The app stopped while it was running',
  teardown: 'The app did not close as asked',
};

const causes: Partial<Record<ErrorCode, [cause: string, fix: string]>> = {
  'resource-missing': [
    'The tool names a resource that the server does not have, or has under another address.',
    'Register a resource under exactly the address in _meta.ui.resourceUri.',
  ],
  'resource-unreadable': [
    'The address is right: the server has the resource and failed when it read it. Its own words are above.',
    'Fix what the server complains about, then try again.',
  ],
  'resource-timeout': [
    'The server did not answer resources/read in time.',
    'Look at the error output of the server; build the HTML before it is asked for.',
  ],
  'resource-uri': [
    'The tool names its app by an address that is not one of a UI resource, so the server was not asked for it.',
    'Use an address like ui://my-server/app.html on the tool and on the resource.',
  ],
  'resource-mime': [
    'The resource is served under a MIME type that does not stand for an app.',
    'Serve it as text/html;profile=mcp-app.',
  ],
  'resource-empty': [
    'The server answered, but without any HTML in it.',
    'Return one content item whose text is the whole HTML document.',
  ],
  'resource-too-large': [
    'The HTML is larger than a host takes, often because images or data are inlined.',
    'Load large parts from a declared domain, or send them as the result of a tool.',
  ],
  'resource-undecodable': [
    'The content is neither text nor UTF-8 in base64.',
    'Return the HTML as text, or as a base64 blob of UTF-8.',
  ],
  'sandbox-unreachable': [
    'The address of the sandbox does not open in this browser; a proxy or an extension may stand between.',
    'Open the sandbox address by hand and see what answers.',
  ],
  'sandbox-misconfigured': [
    'The sandbox was set up for another host page.',
    'Name the origin of this page among the sandbox’s host origins.',
  ],
  'html-never-ran': [
    'The document of the app did not load; its origin may not resolve in this browser.',
    'Check that names below casement.localhost open in this browser.',
  ],
  'no-initialize': [
    'The script of the app did not start or never connects: a script error, a blocked library, or no call of connect().',
    'Call connect() of the App class when the script starts, and bundle the libraries it needs.',
  ],
  'initialized-missing': [
    'The app got the answer to ui/initialize but did not say that it is ready; its version may not be accepted.',
    'Send ui/notifications/initialized once the answer arrived.',
  ],
  'script-error': [
    'A script of the app threw before it was ready.',
    'Open the browser’s console, choose the frame of the app and fix the first error.',
  ],
  'eval-blocked': [
    'The policy blocked eval or new Function, which the app needs to start; often an old schema or template library compiles its code that way.',
    'Build the app without eval and new Function, no metadata allows them: use a library that does not compile at run time (apps on ext-apps before 1.7.0 need a newer one), and no source maps made with eval.',
  ],
  'unsupported-version': [
    'The app asked for a version of the protocol that this host does not speak, and did not take the one it was offered.',
    'Update the app’s SDK to one that speaks 2026-01-26.',
  ],
  'resource-blocked': [
    'The host looked at the document before showing it and refused it, by its hash or its content.',
    'See the reason above; change the document, or the block list and review of the host.',
  ],
  'app-not-responding': [
    'A script of the app has been running without a pause for some seconds; it may come back by itself.',
    'Wait, or stop the app. In its code, look for a long loop and split the work or move it to a worker.',
  ],
  'app-crashed': [
    'The process of the app ended, most often because it ran out of memory.',
    'Reload the app. If it happens again, watch its memory in the browser’s task manager.',
  ],
  'app-stopped': ['You stopped the app without asking it.', 'Reload the app to start it again.'],
  'keyboard-taken': [
    'The app took the focus while you typed elsewhere or had to answer a question, and went on when it was taken back.',
    'Call focus() only when the user clicks or presses a key in the app.',
  ],
  'app-navigated': [
    'A link or a form took the frame to another page.',
    'Open links with ui/open-link and prevent the default action of forms.',
  ],
  'app-flooding': [
    'The app sends without a pause; often a loop between its size and the size it reports.',
    'Report the size only when it changed.',
  ],
  'server-lost': [
    'The process or connection of the server ended.',
    'Restart the server, then reload the app.',
  ],
  'host-code-missing': [
    'A file of this page is not where it was; most often the page is older than what now serves it.',
    'Reload the page. If it happens again, start Casement anew.',
  ],
  'proxy-restarted': ['Something reloaded the outer frame.', 'Reload the app.'],
  'server-garbage': [
    'The answer of the server does not have the shape the protocol asks for.',
    'Compare the answer in the timeline with the specification.',
  ],
};

/** The same as for a stage: what only the app's page says is marked as its word. */
const byApp = 'The app says so: its own page reported it.';

const toField = (directive: string): string =>
  findPolicyList(toDirectiveName(directive))?.field ?? 'resourceDomains';

const toOrigin = (uri: string): string | undefined => {
  try {
    const { origin } = new URL(uri);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
};

/** What the policy blocked before an app came to life is the likeliest reason that it did not. */
const toBlockedAdvice = ({ directive, blockedUri }: SeenViolation): Omit<FailureAdvice, 'title'> => {
  const origin = toOrigin(blockedUri);
  return {
    cause: `The policy blocked ${toPrintable(blockedUri)} (${toPrintable(directive, 60)}), which the app needs to start. ${byApp}`,
    fix:
      origin === undefined
        ? 'Load it in a way the policy allows, for instance from the document itself.'
        : `Add "${origin}" to _meta.ui.csp.${toField(directive)} of the resource, or bundle what is loaded from there.`,
  };
};

const ownTitles: Partial<Record<ErrorCode, string>> = {
  'resource-blocked': 'The app was not let through',
  'app-not-responding': 'The app does not respond',
  'app-crashed': 'The app crashed',
  'app-stopped': 'The app was stopped',
  'keyboard-taken': 'The app was stopped: it took the keyboard',
};

const toTitle = ({ code, step }: SeenFailure, hasEnded: boolean): string =>
  ownTitles[code] ?? (hasEnded ? titles[step] : 'The app goes on, but something was lost');

/** Where a script error happened, as far as the app's document says it. */
export const toErrorPlace = ({ sourceFile, line, column }: SeenPlace): string =>
  [sourceFile, line, column].filter((part) => part !== undefined && part !== '').join(':');

/** Says what probably happened and what to do; a failure that left the app running is said more quietly. */
export const toFailureAdvice = (
  failure: SeenFailure,
  app: Pick<AppFacts, 'status' | 'violations' | 'scriptErrors'>,
): FailureAdvice => {
  const title = toTitle(failure, app.status === 'failed');
  const blocked = findBlockedLoad(app.violations);
  if (blocked && failure.code === 'no-initialize') return { title, ...toBlockedAdvice(blocked) };
  const [error] = app.scriptErrors;
  if (error && failure.code === 'script-error') {
    const place = error.sourceFile === undefined ? '' : ` (${toPrintable(toErrorPlace(error))})`;
    const said = toPrintable(error.message, 300);
    return {
      title,
      cause: `A script of the app threw before it was ready: ${said}${place}${/[.!?]$/.test(said + place) ? '' : '.'} ${byApp}`,
      // An error is often what a blocked library leaves behind.
      fix: blocked ? toBlockedAdvice(blocked).fix : (failure.hint ?? 'Fix this error first.'),
    };
  }
  const [cause = '', fix = ''] = causes[failure.code] ?? [];
  // The host's hint for a blocked eval says the cause once more; the panel has said it.
  return { title, cause, fix: failure.code === 'eval-blocked' ? fix : (failure.hint ?? fix) };
};
