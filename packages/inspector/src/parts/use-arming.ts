import { createArming } from '@casement/host/questions';
import { useEffect, useRef, useState } from 'react';

type Arming = ReturnType<typeof createArming>;

/** Takes an answer only when it can have been meant; armed anew whenever the question is another. */
export const useArming = (
  place: { readonly current: HTMLElement | null },
  question?: string,
): { readonly armed: ReturnType<Arming['getState']>; readonly isMeant: Arming['isMeant'] } => {
  const [armed, setArmed] = useState({ takesNo: false, takesYes: false });
  const arming = useRef<Arming>(undefined);
  useEffect(() => {
    if (!place.current) return;
    const begun = createArming(place.current, setArmed);
    arming.current = begun;
    setArmed(begun.getState());
    return begun.end;
  }, [place, question]);
  return { armed, isMeant: (click, isYes) => arming.current?.isMeant(click, isYes) ?? false };
};
