import type { MetadataFinding } from '@casement/protocol';
import { throwCodeMissing } from '../missing-code.js';
import type { SessionStore } from './session-store.js';
import type * as Trouble from './trouble.js';

/** The words for what went wrong; throws host-code-missing. */
export const loadTrouble = (): Promise<typeof Trouble> => import('./trouble.js').catch(throwCodeMissing);

/** Adds a finding once its words are here; without them the recording tells that something was found. */
export const addExplained = (
  store: Pick<SessionStore, 'addFinding'>,
  toFinding: (words: typeof Trouble) => MetadataFinding | undefined,
): void => {
  loadTrouble().then(
    (words) => {
      const finding = toFinding(words);
      if (finding) store.addFinding(finding);
    },
    ({ code, message, hint }) => store.addFinding({ code, message, fix: hint, path: 'host' }),
  );
};
