import type { Armed } from './use-armed.js';

/** One answer to a question. */
export const AnswerButton = ({
  armed: { takesNo, takesYes, isMeant },
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
}) => (
  <button
    type="button"
    className={isPrimary ? 'casement-button casement-button-primary' : 'casement-button'}
    // Not `disabled`, which would throw out the focus.
    aria-disabled={!(isYes ? takesYes : takesNo)}
    data-moving={(isYes && takesNo && !takesYes) || undefined}
    onClick={({ nativeEvent }) => {
      if (isMeant(nativeEvent, isYes)) onAnswer();
    }}
  >
    {label}
  </button>
);
