import { toPrintable } from '@casement/protocol';
import type { ServerConfig } from './server-config.js';

/** What a server says of itself in the handshake. */
export interface ServerSelfDescription {
  readonly name: string;
  readonly title?: string | undefined;
}

/** The names servers are shown by, none of them twice. */
export interface ServerLabels {
  /**
   * The name to show a server by, once it was connected. A name the user chose is kept; one made from a command or
   * address gives way to what the server first called itself. Undefined where the server is shown as it is configured.
   */
  give(config: ServerConfig, info: ServerSelfDescription | undefined): string | undefined;
}

const MAX_LABEL = 60;

/** Two names that fold to the same would pass for one another. */
const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** What a server calls itself, fit to stand beside the names of others. */
export const toOwnName = ({ name, title }: ServerSelfDescription): string =>
  toPrintable(title?.trim() || name, MAX_LABEL, { mode: 'replace', rest: () => '…' }).trim();

/** Creates the names of one gateway; those of the configuration are taken from the start. */
export const createServerLabels = (configs: readonly ServerConfig[]): ServerLabels => {
  const owners = new Map(configs.map(({ name }) => [fold(name), name]));
  const given = new Map<string, string>();
  const isFree = (label: string, owner: string): boolean => (owners.get(fold(label)) ?? owner) === owner;
  return {
    give({ name, isNameDerived }, info) {
      if (!isNameDerived) return undefined;
      const before = given.get(name);
      if (before !== undefined || info === undefined) return before;
      const own = toOwnName(info);
      // What has neither letter nor digit names nothing.
      if (fold(own) === '') return undefined;
      let label = own;
      for (let count = 2; !isFree(label, name); count += 1) label = `${own} (${count})`;
      owners.set(fold(label), name);
      given.set(name, label);
      return label;
    },
  };
};
