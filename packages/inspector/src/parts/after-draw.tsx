import { useEffect, useState, type ReactNode } from 'react';
import { useInspector } from '../use-inspector.js';
import { whenDrawn } from './when-drawn.js';

/**
 * What nobody uses first: it comes when all around it has been drawn, and no app comes up or is made ready. Its code is
 * asked for no sooner.
 */
export const AfterDraw = ({ children }: { children: ReactNode }) => {
  const { appFirst } = useInspector();
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    let stop = whenDrawn(() => {
      if (!appFirst.getSnapshot()) return setDue(true);
      stop = appFirst.subscribe(() => {
        if (appFirst.getSnapshot()) return;
        stop();
        setDue(true);
      });
    });
    return () => stop();
  }, [appFirst]);
  return isDue && children;
};
