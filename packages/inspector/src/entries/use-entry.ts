import type { EntryView } from '@casement/gateway';
import { CasementError } from '@casement/protocol/start';
import { useEffect, useState } from 'react';
import { useInspector, useValue } from '../use-inspector.js';

/** An entry as the gateway has it now, asked for when it is looked at and followed from then on. */
export const useEntry = (
  name: string,
): { readonly entry: EntryView | undefined; readonly failure: unknown } => {
  const { entries } = useInspector();
  const known = useValue(entries).entries.find((one) => one.name === name);
  const [asked, setAsked] = useState<{ readonly name: string; readonly failure?: unknown }>();
  useEffect(() => {
    let isLate = false;
    const end = (failure?: unknown): void => {
      if (!isLate) setAsked({ name, failure });
    };
    entries.refresh().then((all) => {
      const isThere = all.some((one) => one.name === name);
      end(isThere ? undefined : new CasementError('entry-unknown', 'This server is not there any more.'));
    }, end);
    return () => {
      isLate = true;
    };
  }, [entries, name]);
  // What was known before may be old.
  const isAsked = asked?.name === name;
  return { entry: isAsked ? known : undefined, failure: isAsked ? asked.failure : undefined };
};
