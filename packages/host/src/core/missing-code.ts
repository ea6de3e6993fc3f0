import { CasementError } from '@casement/protocol/basics';

/** Throws host-code-missing: what `catch` is given behind the import of a part of the host. */
export const throwCodeMissing = (cause: unknown): never => {
  throw new CasementError('host-code-missing', 'A part of the host’s own code could not be loaded.', {
    hint: 'Reload the page. If it happens again, see that the page’s server still has every file of the release the page was built from.',
    cause,
  });
};
