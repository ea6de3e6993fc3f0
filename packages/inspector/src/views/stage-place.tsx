import { memo, useLayoutEffect, useRef } from 'react';
import { useInspector } from './use-inspector.js';

/** Holds the stage's own element, which React neither makes nor moves: a frame that is moved starts anew. */
export const StagePlace = memo(() => {
  const { stageElement } = useInspector();
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current && stageElement.root.parentElement !== place.current)
      place.current.append(stageElement.root);
  }, [stageElement]);
  return <div ref={place} className="stage-place" />;
});
