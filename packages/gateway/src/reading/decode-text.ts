import { StringDecoder } from 'node:string_decoder';
import { startSlice } from './turns.js';

const PIECE_BYTES = 128 * 1024;

/**
 * Decodes many bytes, others having their turns between: a text in another script than the Latin one costs several
 * times what the JSON around it does.
 */
export const decodeText = async (bytes: Buffer): Promise<string> => {
  const decoder = new StringDecoder('utf8');
  const slice = startSlice();
  let text = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    text += decoder.write(bytes.subarray(at, at + PIECE_BYTES));
    if (slice.isOver) await slice.rest();
  }
  return text + decoder.end();
};
