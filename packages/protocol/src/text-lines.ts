/**
 * Cuts a text that comes in pieces into lines, wherever the pieces begin and end: each call gives the lines that end in
 * its piece. A line ends at a newline, a carriage return, or both; a last line without an end is none.
 */
export const createLineSplitter = (): ((piece: string) => string[]) => {
  // Joined once the line ends: a line that comes letter by letter is not copied with each letter.
  let begun: string[] = [];
  let isAfterReturn = false;
  return (piece) => {
    // The second half of a line end whose first half ended the line.
    const text = isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') isAfterReturn = piece.endsWith('\r');
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    begun.push(first);
    const rest = others.pop();
    if (rest === undefined) return [];
    const lines = [begun.join(''), ...others];
    begun = [rest];
    return lines;
  };
};
