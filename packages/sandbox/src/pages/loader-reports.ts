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

/** Reports what the policy blocks and what the scripts throw, once what it returns was called: it adds the listeners. */
export const createTroubleReport = (post: Post): (() => void) => {
  let errors = 0;
  const complain = (message: string, place: object): void => {
    // A script that throws in every frame must not use up what the app may send.
    if ((errors += 1) <= MAX_ERRORS) post('script-error', { message: message.slice(0, 500), ...place });
  };
  const toFile = (url: string): string | undefined => url.split('?')[0];
  const hearViolation = (event: SecurityPolicyViolationEvent): void => {
    post('violation', {
      directive: event.effectiveDirective,
      blockedUri: event.blockedURI,
      sourceFile: toFile(event.sourceFile),
      line: event.lineNumber,
      column: event.columnNumber,
      sample: event.sample,
      disposition: event.disposition,
    });
  };
  const hearError = (event: ErrorEvent): void => {
    // An image or script that did not load is heard here too; it has no message.
    if (typeof event.message !== 'string') return;
    complain(event.message, {
      sourceFile: toFile(event.filename),
      line: event.lineno,
      column: event.colno,
    });
  };
  const hearRejection = (event: PromiseRejectionEvent): void => complain(toText(event.reason), {});
  return () => {
    window.addEventListener('securitypolicyviolation', hearViolation, true);
    window.addEventListener('error', hearError, true);
    window.addEventListener('unhandledrejection', hearRejection, true);
  };
};
