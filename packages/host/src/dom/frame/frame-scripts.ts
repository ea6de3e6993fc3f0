import { frameFetchScript } from '@casement/sandbox/frame-fetch';
import { pageViewScript } from '@casement/sandbox/page-view';
import type { askProxy, postToProxy } from './frame-use.js';

// Loaded on demand: the scripts that the host has run in the page of an app, by its loader.

/** How long a page may take to say what the user would miss of it: one whose thread is busy is not waited for. */
const viewMs = 1000;

/**
 * Asks the loader in a frame for the view of the app's page. The answer is the guest's word; undefined without one in
 * time. People type what is in it.
 */
export const askFrameView = async (
  frame: HTMLIFrameElement | undefined,
  /** Handed over, here and below, so that bundlers keep it where it is. */
  ask: typeof askProxy,
): Promise<unknown> => {
  const params = { text: pageViewScript };
  const said = await ask(frame, 'view', params, { ms: viewMs, read: (view) => ({ view }) });
  return said?.view ?? undefined;
};

/** Gives the loader in a frame a view to write into the app's page. */
export const giveFrameView = (
  frame: HTMLIFrameElement | undefined,
  view: unknown,
  post: typeof postToProxy,
): void => {
  if (frame) post(frame, 'view', { text: pageViewScript, view });
};

/** The script in the frame gives up after 10 s; its word may take a moment to come. */
const fetchMs = 11_000;
/** Characters; the script counts bytes. */
const maxText = 10 * 1024 * 1024;

/**
 * Asks the loader in a frame to read a text as the app could. It comes in pieces on a port of its own, is the guest's
 * word, and does not go into the recording. Undefined without an answer in time.
 */
export const askFrameFetch = (
  frame: HTMLIFrameElement | undefined,
  url: string,
  ask: typeof askProxy,
): Promise<unknown> => {
  let text = '';
  const read = (said: unknown): unknown => {
    // Of the proxy, which rebuilt it: JSON, or null for what was none.
    const { piece, more, refused } = Object(said) as Record<string, unknown>;
    if (typeof piece !== 'string') return { refused: typeof refused === 'string' ? refused : 'no answer' };
    text += piece;
    if (text.length > maxText) return { refused: 'It has more than 10 MB.' };
    return more === true ? undefined : text;
  };
  return ask(frame, 'view', { text: frameFetchScript, url }, { ms: fetchMs, read });
};
