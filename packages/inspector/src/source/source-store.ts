import type { AppCode, CodePlace, SourceAnswer } from './find-source.js';
import { findSource } from './find-source.js';
import type { RunSourceTask } from './run-source-task.js';

/** The sources of places that were asked for. */
export interface SourceStore {
  /** Finds a place's source, once; what could not be shown is tried anew when it is asked for again. */
  find(code: AppCode, place: CodePlace): Promise<SourceAnswer>;
}

const maxKept = 100;

/** Creates a store; it keeps the answers to the last hundred places. */
export const createSourceStore = (run: RunSourceTask): SourceStore => {
  const answers = new Map<string, Promise<SourceAnswer>>();
  return {
    find: (code, place) => {
      const { message, sourceFile, line, column, stack } = place;
      const key = JSON.stringify([code.session, message, sourceFile, line, column, stack]);
      const known = answers.get(key);
      if (known) return known;
      const fresh = findSource(code, place, run);
      answers.set(key, fresh);
      const forget = ({ original }: SourceAnswer): void => {
        if (!original && answers.get(key) === fresh) answers.delete(key);
      };
      void fresh.then(forget);
      const [oldest] = answers.keys();
      if (answers.size > maxKept && oldest !== undefined) answers.delete(oldest);
      return fresh;
    },
  };
};
