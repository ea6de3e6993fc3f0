import { useEffect, useState, type ReactNode } from 'react';
import { whenDrawn } from './when-drawn.js';

/** What nobody uses first: it comes when all around it has been drawn, and its code is asked for no sooner. */
export const AfterDraw = ({ children }: { children: ReactNode }) => {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => whenDrawn(() => setDrawn(true)), []);
  return isDrawn && children;
};
