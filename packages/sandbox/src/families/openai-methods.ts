/** The host's answer to the handshake, which decides about the methods of `window.openai`. */
interface OpenaiHost {
  readonly hostCapabilities?: object | undefined;
  readonly hostContext?: object | undefined;
}

const read = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );

const has =
  (...path: readonly string[]) =>
  ({ hostCapabilities }: OpenaiHost): boolean =>
    typeof read(hostCapabilities, ...path) === 'object';
const hasModes = ({ hostContext }: OpenaiHost): boolean => {
  const modes = read(hostContext, 'availableDisplayModes');
  return Array.isArray(modes) && modes.length > 1;
};
const always = (): boolean => true;
const never = (): boolean => false;

/** Every method of `window.openai`, and what a host must have for it. */
const needs = {
  callTool: has('serverTools'),
  sendFollowUpMessage: has('message'),
  // The oldest name of the same.
  sendFollowupTurn: has('message'),
  openExternal: has('openLinks'),
  setWidgetState: has('experimental', 'casement/widget-state'),
  requestModal: has('experimental', 'casement/modal'),
  requestDisplayMode: hasModes,
  requestClose: always,
  notifyIntrinsicHeight: always,
  setOpenInAppUrl: never,
  uploadFile: never,
  selectFiles: never,
  getFileDownloadUrl: never,
  requestCheckout: never,
};

/** The name of a method a widget may look for. */
export type OpenaiMethod = keyof typeof needs;

/** Which methods a widget finds with this host; the others stay undefined, because widgets look before they call. */
export const toOpenaiMethods = (host: OpenaiHost): { offered: OpenaiMethod[]; withheld: OpenaiMethod[] } => {
  // Object.keys forgets that these are the keys.
  const names = Object.keys(needs) as OpenaiMethod[];
  return {
    offered: names.filter((name) => needs[name](host)),
    withheld: names.filter((name) => !needs[name](host)),
  };
};
