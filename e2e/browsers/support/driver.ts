import type { ChildOptions } from './child.js';

/** The commands of the WebDriver standard that the tests use, each with its place below a session's address. */
export const commands = {
  Navigate: ['POST', 'url'],
  ExecuteAsyncScript: ['POST', 'execute/async'],
  SwitchToFrame: ['POST', 'frame'],
  ElementClick: ['POST', 'element/{id}/click'],
  ElementSendKeys: ['POST', 'element/{id}/value'],
  TakeScreenshot: ['GET', 'screenshot'],
  SetTimeouts: ['POST', 'timeouts'],
} as const;

/** The name of a command, as Firefox spells it too. */
type Command = keyof typeof commands;

/** One browser with one window, driven by WebDriver. */
export interface Driver {
  /** What the browser says it is, with its version. */
  readonly name: string;
  send(command: Command, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

/** The key under which the standard hides an element in JSON. */
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** How a browser is started. */
export interface DriverOptions extends ChildOptions {
  /** Address and port of an HTTP proxy that sees every request, those to this machine as well. */
  readonly proxy?: string;
}
