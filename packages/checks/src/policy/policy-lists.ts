import type { DeclaredCsp } from '@casement/protocol';
import type { SandboxPolicy } from '@casement/sandbox';

/** One of the four lists a resource can declare, in its three spellings. */
export interface PolicyList {
  readonly name: string;
  readonly field: keyof DeclaredCsp;
  readonly effective: keyof Pick<SandboxPolicy, 'connect' | 'assets' | 'frame' | 'baseUri'>;
  readonly directives: readonly string[];
  /** What is left when the list is empty. */
  readonly whenEmpty: string;
}

/** The four lists, in the order they are shown. */
export const policyLists: readonly PolicyList[] = [
  {
    name: 'Connect',
    field: 'connectDomains',
    effective: 'connect',
    directives: ['connect-src'],
    whenEmpty: 'Nothing: fetch, WebSocket and EventSource are blocked',
  },
  {
    name: 'Assets',
    field: 'resourceDomains',
    effective: 'assets',
    directives: [
      'script-src',
      'script-src-elem',
      'style-src',
      'style-src-elem',
      'img-src',
      'media-src',
      'font-src',
    ],
    whenEmpty: 'Only what is inline, and data: or blob: pictures and media',
  },
  {
    name: 'Frames',
    field: 'frameDomains',
    effective: 'frame',
    directives: ['frame-src', 'child-src'],
    whenEmpty: 'Nothing: frames inside the app are blocked',
  },
  {
    name: 'Base address',
    field: 'baseUriDomains',
    effective: 'baseUri',
    directives: ['base-uri'],
    whenEmpty: 'Only its own',
  },
];

/** The list that decides about a directive, if any does. */
export const findPolicyList = (directive: string): PolicyList | undefined =>
  policyLists.find(({ directives }) => directives.includes(directive));

/** A reported directive by its name; some browsers report it with all its sources. */
export const toDirectiveName = (directive: string): string =>
  directive.trim().split(/\s+/, 1)[0]?.toLowerCase() ?? '';

/** What was declared for a list, as lines; anything that is no list of texts is shown as it came. */
export const toDeclaredLines = (declared: DeclaredCsp | undefined, field: keyof DeclaredCsp): string[] => {
  const value = declared?.[field];
  if (value === undefined || value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items
    .slice(0, 100)
    .map((item) => (typeof item === 'string' ? item : (JSON.stringify(item) ?? String(item))));
};
