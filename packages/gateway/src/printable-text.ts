const escapeSequences =
  // eslint-disable-next-line no-control-regex -- terminal control sequences are exactly what is looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/]*[0-~])/g;
// eslint-disable-next-line no-control-regex -- as above; tab stays, it is layout
const controls = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Text from a server made safe to show: no terminal sequences, control or direction characters, bounded length (T18). */
export const toPrintableText = (text: string, maxChars = 2000): string => {
  const clean = text
    .slice(0, maxChars * 4)
    .replace(escapeSequences, '')
    .replace(controls, '');
  return clean.length > maxChars ? `${clean.slice(0, maxChars)}…` : clean;
};
