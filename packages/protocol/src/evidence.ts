/*
 * What the page of an app reports about itself, from inside the sandbox. The app can forge all of it, or keep it back: it
 * may add to the report of its own app, and never takes anything away from what the host or the browser saw.
 */

/** How much the loader collects: nothing, what listeners hear, or also what wrapped functions see. */
export type EvidenceMode = 'none' | 'errors' | 'full';

/** A value as a console shows it: cut, and with its members only as far as they were read without running its code. */
export interface ShownValue {
  readonly type:
    | 'string'
    | 'number'
    | 'bigint'
    | 'boolean'
    | 'undefined'
    | 'null'
    | 'symbol'
    | 'function'
    | 'array'
    | 'object'
    | 'error'
    | 'element'
    | 'getter';
  /** The value, or of an object the name of its kind. */
  readonly text: string;
  readonly members?: readonly (readonly [name: string, value: ShownValue])[];
  /** How many members, or characters of the text, are left out. */
  readonly more?: number;
}

/** A place in the code that ran, as the page says it; counted from 1. */
interface CodePlace {
  readonly sourceFile?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The functions of a browser that work in some hosts and not in others. */
export type HostDependentApi =
  | 'localStorage'
  | 'sessionStorage'
  | 'indexedDB'
  | 'cookie'
  | 'caches'
  | 'alert'
  | 'confirm'
  | 'prompt'
  | 'open'
  | 'print'
  | 'clipboard'
  | 'camera-microphone'
  | 'screen-capture'
  | 'geolocation'
  | 'notifications'
  | 'eval'
  | 'service-worker'
  | 'picture-in-picture'
  | 'fullscreen';

/** One thing the page of an app reported of itself; `at` is milliseconds since 1970, by the page's own clock. */
export type AppEvidence = { readonly at: number } & (
  | ({
      /** A script, style sheet, picture, font, frame or the like that did not come. */
      readonly kind: 'load-failed';
      readonly url: string;
      /** The element that wanted it, in lower case, or `css` for what a style sheet names. */
      readonly element: string;
      /** Where the browser tells it. */
      readonly status?: number;
    } & CodePlace)
  | ({
      readonly kind: 'console';
      readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
      readonly values: readonly ShownValue[];
      /** How often this very line came in a row. */
      readonly count?: number;
    } & CodePlace)
  | ({
      /** The first use of a function that depends on the host, and what came of it. */
      readonly kind: 'api';
      readonly api: HostDependentApi;
      readonly outcome: 'used' | 'refused';
      /** Before the app was initialized and outside of any handling of an error. */
      readonly unguarded?: true;
    } & CodePlace)
  | { readonly kind: 'long-task'; readonly ms: number }
  | { readonly kind: 'painted' }
  | {
      readonly kind: 'layout';
      /** Of the frame, and of what is in it. */
      readonly width: number;
      readonly contentWidth: number;
      readonly contentHeight: number;
      /** Elements that take up room and show something: text, a picture, a background, a border. */
      readonly boxes: number;
      /** The language the document names, '' for none, and the direction it is laid out in. */
      readonly lang?: string;
      readonly dir?: 'ltr' | 'rtl';
    }
);

/** What is kept of an app's evidence, the oldest console lines making room first. */
export interface EvidenceLog {
  readonly mode: EvidenceMode;
  readonly items: readonly AppEvidence[];
  /** How many reports were not kept, or never came because the app sent too many. */
  readonly left: number;
}
