import type { ConsentMemory } from './consent-memory.js';

const maxAnswers = 500;
const answers = new Set<string>();

/** What the user said “always” to, for sessions that were given no memory: one for the page, gone with it. */
export const pageMemory: Pick<ConsentMemory, 'has' | 'remember'> = {
  has: (key) => answers.has(toText(key)),
  remember(key) {
    answers.add(toText(key));
    // Who settled so many things may be asked again about the oldest.
    for (const oldest of answers) {
      if (answers.size <= maxAnswers) return;
      answers.delete(oldest);
    }
  },
};

const toText = ({ kind, server, scope }: Parameters<ConsentMemory['has']>[0]): string =>
  JSON.stringify([kind, server, scope]);
