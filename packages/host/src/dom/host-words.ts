import type { ErrorCode, ToolClaim } from '@casement/protocol';
import type { SessionFailure } from '../core/state/session-state.js';

/** One sentence for each failure, by its code: the embedder's words, in the language of its page. */
type FailureWords = Readonly<Partial<Record<ErrorCode, string>>>;

/** Every word of the chrome; an embedder gives its own for another language. */
export interface ChromeWords {
  /** Names who the app comes from. */
  from(server: string): string;
  /** Over a dialog that an app asked for, after `from`: these are the app's own words. */
  titled(title: string): string;
  loading: string;
  closing: string;
  /** Names the places outside that the app may exchange data with (HOST-009). */
  reaches(shown: string, more: number): string;
  dismiss: string;
  close: string;
  fullscreen: string;
  pip: string;
  /** On the button of a floating card, and what it says besides. */
  move: string;
  moveHint: string;
  reload: string;
  stop: string;
  notResponding: string;
  /** Over the message of a failure. */
  failed: string;
  /** The message itself, by the code of the failure. */
  failures: FailureWords;
  /** What is said of a failure where a sentence by its code is not enough, as for developers; neutral unless given. */
  appProblem?(failure: SessionFailure): string;
  /** The notice over an external page that may forbid framing, and the button that opens it in a tab. */
  quietPage(site: string): string;
  openPage: string;
  /** In the place of an app that made room for others and loses something by it. */
  evicted: string;
  /** In the place of an app for which there is no room, and the button that shows it all the same. */
  crowded(apps: number): string;
  showApp: string;
  /** The name of the app as a dialog that covers the page. */
  dialog(app: string, server: string): string;
}

/** Every word of the dialogs; an embedder gives its own for another language. */
export interface DialogWords {
  cancel: string;
  linkTitle: string;
  linkAsker(server: string): string;
  linkAllow: string;
  linkAlways(site: string, server: string): string;
  pageTitle: string;
  pageAsker(server: string): string;
  pageAllow: string;
  mailTitle: string;
  mailAsker(server: string): string;
  lookAlike: string;
  privateAddress: string;
  /** A host's name nobody reads to its end. */
  longName: string;
  messageTitle: string;
  messageAsker(server: string): string;
  messageAllow: string;
  messageAlways(server: string): string;
  downloadTitle(count: number): string;
  downloadAsker(server: string): string;
  downloadAllow: string;
  downloadAlways(server: string): string;
  /** A link among the files: it is opened, not saved by this page. */
  downloadLink(host: string): string;
  samplingTitle: string;
  samplingAsker(server: string, tokens: number): string;
  samplingAllow: string;
  samplingAlways(server: string): string;
  toolTitle: string;
  toolTitleOfModel: string;
  toolAsker(server: string, app: string): string;
  /** With the app that offers the tool, where it is not the server's own. */
  toolAskerOfModel(server: string, app: string | undefined): string;
  toolAllow: string;
  toolAlways(tool: string, server: string): string;
  toolAlwaysOfModel(tool: string, server: string): string;
  /** What a tool says of itself: the server's word, which nobody checked. */
  toolClaims: Readonly<Record<ToolClaim, string>>;
  /** A yes is for all tools of the app that say nothing of themselves. */
  toolReach: string;
  toolArguments: string;
  toolNoArguments: string;
  /** Names the part of a conversation that is shown. */
  speaker(role: string): string;
  /** What goes to the model besides: where it stops, which model is preferred. */
  samplingSettings: string;
  /** A picture, which stands below the text. */
  picture(mimeType: string, bytes: number): string;
  /** A file in a list, after its name. */
  file(mimeType: string, bytes: number): string;
  /** Stands above a text, or a list, of which only the beginning is in sight. */
  cut(characters: number): string;
  /** Stands above pictures of which not all are in sight. */
  cutPictures(count: number): string;
  showAll: string;
  /** The name of the place where texts, files or the address stand, for those who cannot see it. */
  contents: string;
}

/**
 * Every word of the host, in one object that all of its doors take: mountApp, `<mcp-app>` (`view.words`), `<McpApp>`, the
 * consent dialogs, the chat. Each takes the groups it has words of; what is left out is said in English.
 */
export interface HostWords {
  /** What stands around an app. */
  readonly chrome?: Partial<ChromeWords>;
  /** The questions of the consent dialogs. */
  readonly dialogs?: Partial<DialogWords>;
  /** Failures by their code, instead of the neutral sentence. */
  readonly failures?: FailureWords;
}

/** What mountApp takes: the groups; words of the chrome may also stand beside them. */
export type AppWords = HostWords & Partial<ChromeWords>;

/** What the consent dialogs take: the groups; words of the dialogs may also stand beside them. */
export type QuestionWords = HostWords & Partial<DialogWords>;
