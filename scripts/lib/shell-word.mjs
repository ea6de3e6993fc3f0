/** A path as it can be pasted into a shell: blanks part it, and nothing in it is run. */
export const toShellWord = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
