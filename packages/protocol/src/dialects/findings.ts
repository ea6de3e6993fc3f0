import type { MetadataFinding } from '../metadata/metadata.js';
import type { DialectAlias } from './older-names.js';

/** Handled here and not by the peer: today an app lists its tools when asked. */
export const announcing: ReadonlySet<string> = new Set(['ui/registerTool', 'ui/unregisterTool']);

/** Something the author of an app should say differently. */
export const toFinding = (path: string, message: string, fix: string): MetadataFinding => ({
  code: 'dialect',
  message,
  fix,
  path,
});

/** An older name was used. */
export const toAliasFinding = ({ name, method, dialects }: DialectAlias): MetadataFinding =>
  announcing.has(name)
    ? toFinding(
        name,
        `${name} (${dialects.join(', ')}) has no way to call the tool; it is listed only.`,
        `Declare appCapabilities.tools, answer tools/list and tools/call, and send ${method}.`,
      )
    : toFinding(
        name,
        dialects.length > 0
          ? `${name} is an older name (${dialects.join(', ')}) of ${method}.`
          : `${name} is not the name of ${method}.`,
        `Send ${method}.`,
      );

/** A name of hosts came from an app. */
export const toDirectionFinding = ({ name, method }: DialectAlias): MetadataFinding =>
  toFinding(
    name,
    `${name} is an older name of ${method} as hosts send it; an app does not.`,
    `Do not send ${name}.`,
  );

/** The app will never say that it is ready. */
export const toSilentFinding = (): MetadataFinding =>
  toFinding(
    'ui/initialize',
    'The app speaks FrontMCP’s dialect, which never says it is ready; it is taken as ready once answered.',
    'Send ui/notifications/initialized after the answer to ui/initialize.',
  );
