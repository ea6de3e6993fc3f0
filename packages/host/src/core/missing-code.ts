import { CasementError } from '@casement/protocol/start';

/** The failure of a part of the host that did not come. */
export const toCodeMissing = (cause?: unknown): CasementError =>
  new CasementError('host-code-missing', 'A part of the host’s own code could not be loaded.', {
    hint: 'Reload the page. If it happens again, see that the page’s server still has every file of the release the page was built from.',
    cause,
  });

/** Throws host-code-missing: what `catch` is given behind the import of a part of the host. */
export const throwCodeMissing = (cause: unknown): never => {
  throw toCodeMissing(cause);
};
