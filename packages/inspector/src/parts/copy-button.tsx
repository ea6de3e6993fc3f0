import { useEffect, useState } from 'react';

type Outcome = 'idle' | 'copied' | 'failed';

const words: Record<Outcome, string> = { idle: 'Copy', copied: 'Copied', failed: 'Not copied' };

/** Puts a text on the clipboard and says whether that worked. */
export const CopyButton = ({ text, name }: { text: () => string; name: string }) => {
  const [outcome, setOutcome] = useState<Outcome>('idle');
  useEffect(() => {
    if (outcome === 'idle') return undefined;
    const timer = setTimeout(() => setOutcome('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  };
  return (
    <button type="button" className="small-button" onClick={copy} aria-label={`Copy ${name}`}>
      <span aria-live="polite">{words[outcome]}</span>
    </button>
  );
};
