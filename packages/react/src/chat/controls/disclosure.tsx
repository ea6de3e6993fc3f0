import type { ReactNode } from 'react';
import { useState } from 'react';

/** Something to look at on demand; what is inside is made when it is opened first. */
export const Disclosure = ({
  title,
  isOpenAtFirst = false,
  children,
}: {
  readonly title: string;
  /** Holds until the reader opens or closes it. */
  readonly isOpenAtFirst?: boolean;
  children(): ReactNode;
}) => {
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isOpenAtFirst;
  return (
    <details className="casement-disclosure" open={isOpen}>
      <summary
        onClick={(event) => {
          // The state decides: the browser's own change would come after it, and be told as one more.
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        {title}
      </summary>
      {isOpen && children()}
    </details>
  );
};
