import { toPrintable } from '@casement/protocol/basics';
import type { DoctorFinding } from '../doctor/report.js';
import { bundling } from '../policy/bundling.js';
import { findMisplacedInResource } from './misplaced-rules.js';
import { scanHtml, type HtmlPart } from './scan-html.js';

/** The document of an app, as its server gave it. */
export interface LintedDocument {
  readonly html: string;
  /** Its size in UTF-8, where it is known. */
  readonly bytes?: number;
  /** The content item it came in, without the text. */
  readonly item?: unknown;
}

/** Beyond this a phone takes seconds to read it, before anything is drawn. */
const largeBytes = 4 * 1024 * 1024;

const toMegabytes = (bytes: number): string =>
  bytes >= 100_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.ceil(bytes / 1_000)} kB`;

const toPart = ({ name, size, line }: HtmlPart): string =>
  `${toPrintable(name, 60)} at line ${line}: ${toMegabytes(size)}`;

const findLarge = (bytes: number, largest: readonly HtmlPart[]): DoctorFinding[] => {
  if (bytes < largeBytes) return [];
  const parts = largest.filter(({ size }) => size >= bytes / 50);
  return [
    {
      code: 'html-large',
      stage: 'read',
      severity: 'warning',
      witness: 'host',
      message: `The HTML has ${toMegabytes(bytes)}, all of which is read before anything is shown. ${
        parts.length === 0 ? 'No part of it stands out.' : `Largest: ${parts.map(toPart).join('; ')}.`
      }`,
      fix: 'Leave source maps and unused libraries out of the build, and send pictures and data as results of tools, or load them from an origin declared in _meta.ui.csp.resourceDomains.',
      path: parts[0] === undefined ? 'html' : `html:${parts[0].line}`,
    },
  ];
};

/** An address with neither scheme nor host; what a template language will replace is none. */
const isRelative = (address: string): boolean =>
  address !== '' && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\{\{|\$\{|<)/i.test(address.trim());

/** What is wrong with a document as it stands, read once from its beginning to its end. */
export const lintDocument = ({ html, bytes = html.length, item }: LintedDocument): DoctorFinding[] => {
  const { largest, addresses, hasBase } = scanHtml(html);
  const relative = hasBase ? [] : addresses.filter(({ address }) => isRelative(address));
  return [
    ...findLarge(bytes, largest),
    ...relative.slice(0, 10).map(({ element, address, line }): DoctorFinding => {
      const shown = toPrintable(address.trim(), 200);
      return {
        code: 'relative-address',
        stage: 'loaded',
        severity: element === 'script' || element === 'link' ? 'error' : 'warning',
        witness: 'host',
        message: `<${element}> at line ${line} names the relative address ${shown}, and there is nothing it could be relative to.`,
        fix: bundling,
        path: shown,
      };
    }),
    ...findMisplacedInResource(item),
  ];
};
