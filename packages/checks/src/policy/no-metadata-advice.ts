/** Why metadata cannot help, and what can. */
export interface Advice {
  readonly reason: string;
  readonly instead: string;
}

const ownPolicy: Advice = {
  reason: 'The sandbox allows inline scripts and styles, so a stricter policy is at work.',
  instead: 'Look for a <meta http-equiv="Content-Security-Policy"> in the HTML of the app and remove it.',
};

const keywords: ReadonlyMap<string, Advice> = new Map([
  [
    'eval',
    {
      reason: 'No metadata allows eval, new Function or timers with text.',
      instead:
        'Build without them: compile templates and schemas ahead of time, and turn off source maps made with eval.',
    },
  ],
  [
    'wasm-eval',
    {
      reason: 'No metadata allows compiling WebAssembly.',
      instead: 'Use a build of the library in plain JavaScript, or do this work in a tool of your server.',
    },
  ],
  ['inline', ownPolicy],
  [
    'trusted-types-policy',
    { reason: 'The sandbox does not ask for trusted types; the app does.', instead: ownPolicy.instead },
  ],
  [
    'trusted-types-sink',
    { reason: 'The sandbox does not ask for trusted types; the app does.', instead: ownPolicy.instead },
  ],
]);

const unlisted: ReadonlyMap<string, Advice> = new Map([
  ['script-src-attr', ownPolicy],
  ['style-src-attr', ownPolicy],
  [
    'worker-src',
    {
      reason: 'Workers run from blob: addresses only.',
      instead: 'Make the worker from a Blob of its source: new Worker(URL.createObjectURL(blob)).',
    },
  ],
  [
    'form-action',
    {
      reason: 'Forms of an app are never sent anywhere.',
      instead: 'Listen to submit, call preventDefault(), and call a tool or fetch a declared origin.',
    },
  ],
  [
    'object-src',
    {
      reason: 'Plug-ins, <object> and <embed> are never allowed.',
      instead: 'Use <img>, <video> or a frame of a declared frame domain.',
    },
  ],
  [
    'frame-ancestors',
    {
      reason: 'Only the host decides which pages may show the app.',
      instead: 'Nothing in the app is wrong: look at the origin of the host page and of the sandbox.',
    },
  ],
  [
    'sandbox',
    {
      reason: 'An app opens no tab by itself: its link did nothing.',
      instead: 'Ask the host to open it when the link is clicked: ui/open-link.',
    },
  ],
  [
    'navigate-to',
    { reason: 'An app cannot leave its page.', instead: 'Ask the host to open a link: ui/open-link.' },
  ],
]);

const schemes: ReadonlyMap<string, string> = new Map([
  ['connect-src', 'Decode it in the script instead of fetching it.'],
  ['font-src', 'Serve the font from an origin and declare that in resourceDomains.'],
  ['frame-src', 'Show the content in the app’s own document, or frame a page of a declared origin.'],
  ['child-src', 'Show the content in the app’s own document, or frame a page of a declared origin.'],
  ['base-uri', 'Remove the <base> or give it a declared https origin.'],
]);

/** For the words browsers report in place of an address. */
export const toKeywordAdvice = (directive: string, uri: string): Advice | undefined => {
  if (uri === '' && /^script-src/.test(directive)) return keywords.get('eval');
  return keywords.get(uri.toLowerCase());
};

/** For directives no list of the metadata belongs to. */
export const toUnlistedAdvice = (directive: string): Advice | undefined => unlisted.get(directive);

/** For addresses that have no origin, and for everything unknown. */
export const toSchemeAdvice = (directive: string, uri: string): Advice => {
  const scheme = /^[a-z][a-z0-9+.-]*/i.exec(uri)?.[0]?.toLowerCase();
  const instead = schemes.get(directive);
  if (instead !== undefined && scheme !== undefined)
    return { reason: `Metadata lists origins, and a ${scheme}: address has none.`, instead };
  if (/^(?:script|style)-src/.test(directive) && scheme !== undefined) {
    return {
      reason: `Metadata lists origins, and a ${scheme}: address has none.`,
      instead:
        'Put the code inline into the HTML, or serve it from an origin and declare that in resourceDomains.',
    };
  }
  return {
    reason: `No metadata of an app changes ${directive === '' ? 'this directive' : directive}.`,
    instead: 'Load it another way, or do this work in a tool of your server.',
  };
};
