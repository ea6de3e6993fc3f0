import type { ReactNode } from 'react';
import { useState } from 'react';

/** Something long under a title; its content is made when it is opened first. */
export const Disclosure = ({ title, children }: { title: string; children: ReactNode }) => {
  const [isOpened, setOpened] = useState(false);
  return (
    <details
      className="disclosure"
      onToggle={(event) => {
        if (event.currentTarget.open) setOpened(true);
      }}
    >
      <summary>{title}</summary>
      {isOpened && children}
    </details>
  );
};
