import { useCallback, useState } from 'react';

interface Announcement {
  readonly id: number;
  readonly text: string;
}

// Older ones were read out; a few stay, as several may come at once.
const kept = 4;

/** A list for a live region. Each announcement is an element of its own, so that the same words are said again. */
export const useAnnouncer = (): {
  readonly announcements: readonly Announcement[];
  announce(text: string): void;
} => {
  const [announcements, setAnnouncements] = useState<readonly Announcement[]>([]);
  const announce = useCallback(
    (text: string) =>
      setAnnouncements((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, text }].slice(-kept)),
    [],
  );
  return { announcements, announce };
};
