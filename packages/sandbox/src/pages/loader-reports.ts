// What the app's document tells about itself. Runs in the guest: everything here can be silenced or forged by it.
const MAX_ERRORS = 20;

type Post = (name: string, params: object) => void;

const toText = (reason: unknown): string => {
  try {
    return `Uncaught (in promise) ${reason instanceof Error ? String(reason) : (JSON.stringify(reason) ?? typeof reason)}`;
  } catch {
    return 'Uncaught (in promise)';
  }
};

/** Reports what the policy blocks and what the scripts throw; first in line, whatever listeners the guest adds. */
export const reportTrouble = (post: Post): void => {
  let errors = 0;
  const complain = (message: string, place: object): void => {
    // A script that throws in every frame must not use up what the app may send.
    if ((errors += 1) <= MAX_ERRORS) post('script-error', { message: message.slice(0, 500), ...place });
  };
  const toFile = (url: string): string | undefined => url.split('?')[0];
  window.addEventListener(
    'securitypolicyviolation',
    (event) => {
      post('violation', {
        directive: event.effectiveDirective,
        blockedUri: event.blockedURI,
        sourceFile: toFile(event.sourceFile),
        line: event.lineNumber,
        column: event.columnNumber,
        sample: event.sample,
        disposition: event.disposition,
      });
    },
    true,
  );
  window.addEventListener(
    'error',
    (event) => {
      // An image or script that did not load is heard here too; it has no message.
      if (typeof event.message !== 'string') return;
      complain(event.message, {
        sourceFile: toFile(event.filename),
        line: event.lineno,
        column: event.colno,
      });
    },
    true,
  );
  window.addEventListener('unhandledrejection', (event) => complain(toText(event.reason), {}), true);
};
