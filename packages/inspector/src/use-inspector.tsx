import { createContext, use, useSyncExternalStore } from 'react';
import type { Inspector } from './inspector.js';
import type { Readable } from './store.js';

/** Hands the page's model to its views. */
export const InspectorContext = createContext<Inspector | undefined>(undefined);

/** The page's model. */
export const useInspector = (): Inspector => {
  const inspector = use(InspectorContext);
  if (!inspector) throw new Error('A view was drawn outside of the page.');
  return inspector;
};

/** Follows a value of the model. */
export const useValue = <T,>(readable: Readable<T>): T =>
  useSyncExternalStore(readable.subscribe, readable.getSnapshot);

/** Follows a part of a value; a view is drawn anew only when that part changes, so it has to be a plain one. */
export const usePart = <T, P extends string | number | boolean | undefined>(
  readable: Readable<T>,
  select: (value: T) => P,
): P => useSyncExternalStore(readable.subscribe, () => select(readable.getSnapshot()));
