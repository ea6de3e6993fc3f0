import { frameFetchScript } from '@casement/sandbox/frame-fetch';
import { askLoader } from './frame-view.js';

/** The script in the frame gives up after 10 s; its word may take a moment to come. */
const withinMs = 11_000;
/** Characters; the script counts bytes. */
const maxText = 10 * 1024 * 1024;

/**
 * Asks the loader in a frame to read a text as the app could. It comes in pieces on a port of its own, is the guest's
 * word, and does not go into the recording. Undefined without an answer in time.
 */
export const askFrameFetch = (frame: HTMLIFrameElement | undefined, url: string): Promise<unknown> => {
  let text = '';
  return askLoader(frame, { text: frameFetchScript, url }, withinMs, (said) => {
    // Of the proxy, which rebuilt it: JSON, or null for what was none.
    const { piece, more, refused } = Object(said) as Record<string, unknown>;
    if (typeof piece !== 'string') return { refused: typeof refused === 'string' ? refused : 'no answer' };
    text += piece;
    if (text.length > maxText) return { refused: 'It has more than 10 MB.' };
    return more === true ? undefined : text;
  });
};
