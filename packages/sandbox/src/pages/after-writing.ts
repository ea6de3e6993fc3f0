/** Calls back whenever the document was opened or written to by its own scripts. */
export const afterWriting = (then: () => void): void => {
  for (const name of ['open', 'write', 'writeln'] as const) {
    const native: (...args: never[]) => unknown = document[name].bind(document);
    const value = (...args: never[]): unknown => {
      const result = native(...args);
      then();
      return result;
    };
    Object.defineProperty(document, name, { value, configurable: true, writable: true });
  }
};
