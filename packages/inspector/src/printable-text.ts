import { toBoundedJson } from './bounded-json.js';

/* eslint-disable no-control-regex -- these are the characters to take out */
// Control characters, terminal escapes and direction marks can make foreign text read as something it is not (T18).
const unprintable =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const clean = (text: string): string => text.replace(/\r\n?/g, '\n').replace(unprintable, '\ufffd');

/** Foreign text made safe to read: no control or direction characters, not longer than `limit`. */
export const toPrintable = (text: string, limit = 2_000): string =>
  // Cut first: cleaning costs time by the character.
  text.length > limit
    ? `${clean(text.slice(0, limit))}… (${text.length - limit} more characters)`
    : clean(text);

/** A value as indented JSON, safe to read. */
export const toPrintableJson = (value: unknown, limit = 20_000): string => {
  const { text, cut } = toBoundedJson(value, limit);
  return cut ? `${clean(text)}…` : clean(text);
};
