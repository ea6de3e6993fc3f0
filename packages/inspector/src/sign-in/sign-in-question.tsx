import type { ServerSummary } from '@casement/gateway';
import { useEffect, useRef } from 'react';
import { SignInDialog } from './sign-in-dialog.js';
import { useInspector, useValue } from '../use-inspector.js';

/** Whether calls of a server wait for the user: then the question is asked without being looked for. */
const isWaiting = ({ signIn }: ServerSummary): boolean =>
  signIn?.question?.issuerHost !== undefined && signIn.question.waiting > 0;

/** The one question of the page about signing in: what the user asked for, else what calls wait for. */
export const SignInQuestion = () => {
  const { workbench, asksSignIn } = useInspector();
  const asked = useValue(asksSignIn);
  const { servers } = useValue(workbench);
  const waiting = servers.find(({ summary }) => isWaiting(summary))?.summary.name;
  // A no is on its way to the gateway while calls still seem to wait.
  const declined = useRef<string>(undefined);
  if (waiting !== declined.current) declined.current = undefined;
  const name = asked?.server ?? waiting;
  const summary = servers.find((one) => one.summary.name === name)?.summary;
  const isNeeded = summary?.signIn?.needed === true;
  useEffect(() => {
    // It stays while the user is at the issuer, and goes when they are signed in.
    if (asked === undefined && waiting !== undefined && declined.current === undefined)
      asksSignIn.set({ server: waiting, isNewAccount: false });
    else if (asked?.isNewAccount === false && !isNeeded) asksSignIn.set(undefined);
  }, [asked, asksSignIn, isNeeded, waiting]);
  if (summary === undefined || asked === undefined) return null;
  return (
    <SignInDialog
      key={summary.name}
      summary={summary}
      isNewAccount={asked.isNewAccount}
      onClose={() => {
        declined.current = waiting;
        asksSignIn.set(undefined);
      }}
    />
  );
};
