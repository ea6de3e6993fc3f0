import { createArming } from '@casement/host/questions';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';

type Arming = ReturnType<typeof createArming>;
type ArmedState = ReturnType<Arming['getState']>;

/** How far a question can be answered. */
export interface Armed extends ArmedState {
  /** Whether a click on an answer was meant for the question. */
  isMeant: Arming['isMeant'];
}

/** Arms a question as the host's dialogs are armed. */
export const useArmed = (place: RefObject<HTMLElement | null>): Armed => {
  const [state, setState] = useState<ArmedState>({ takesNo: false, takesYes: false });
  const arming = useRef<Arming>(undefined);
  useEffect(() => {
    if (!place.current) return;
    const begun = createArming(place.current, setState);
    arming.current = begun;
    return begun.end;
  }, [place]);
  return { ...state, isMeant: (click, isYes) => arming.current?.isMeant(click, isYes) ?? false };
};
