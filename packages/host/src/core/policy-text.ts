/** Guest text for messages that people read: no control or bidi characters, short, in quotes. */
export const toPrintable = (text: string): string => {
  const clean = text.slice(0, 80).replace(/[^\x21-\x7e]/g, '?');
  return `"${clean}${text.length > 80 ? '…' : ''}"`;
};
