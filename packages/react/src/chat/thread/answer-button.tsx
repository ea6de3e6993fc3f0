import type { MouseEvent } from 'react';
import type { Armed } from './use-armed.js';

/** One answer to a question; a yes counts only where the question stands still. */
export const AnswerButton = ({
  armed: { isArmed, isStill, standsStill },
  isYes,
  isPrimary = false,
  label,
  onAnswer,
}: {
  readonly armed: Armed;
  readonly isYes: boolean;
  readonly isPrimary?: boolean;
  readonly label: string;
  onAnswer(): void;
}) => {
  // A no by mistake does no harm, and an app that never stands still must not be able to prevent it.
  const isMoving = isYes && !isStill;
  // A click without a count of clicks comes from a key, which goes where the focus is.
  const isMeant = ({ detail }: MouseEvent): boolean => isArmed && (!isYes || detail === 0 || standsStill());
  return (
    <button
      type="button"
      className={isPrimary ? 'casement-button casement-button-primary' : 'casement-button'}
      // Not `disabled`, which would throw out the focus.
      aria-disabled={!isArmed || isMoving}
      data-moving={isMoving || undefined}
      onClick={(event) => {
        if (isMeant(event)) onAnswer();
      }}
    >
      {label}
    </button>
  );
};
