/* eslint-disable no-control-regex -- these are the characters to take out */
// Control characters, terminal escapes and direction marks can make foreign text read as something it is not (T18).
const unprintable =
  /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Foreign text made safe to read: no control or direction characters, not longer than `limit`. */
export const toPrintable = (text: string, limit = 2_000): string => {
  const clean = text.replace(/\r\n?/g, '\n').replace(unprintable, '\ufffd');
  return clean.length > limit ? `${clean.slice(0, limit)}… (${clean.length - limit} more characters)` : clean;
};

/** A value as indented JSON, safe to read. */
export const toPrintableJson = (value: unknown, limit = 20_000): string => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value, null, 2);
  } catch {
    text = undefined;
  }
  return toPrintable(text ?? String(value), limit);
};
