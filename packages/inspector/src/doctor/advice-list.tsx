import { toPrintable } from '@casement/protocol/basics';

interface Advice {
  readonly seen: string;
  readonly cause?: string | undefined;
  readonly fix?: string | undefined;
}

const maxChars = 1_500;

/** What was seen, why that probably was, and what to do about it. */
export const AdviceList = ({ seen, cause, fix }: Advice) => {
  const parts = [
    ['Seen', seen],
    ['Likely cause', cause],
    ['Fix', fix],
  ] as const;
  return (
    <dl className="advice">
      {parts.map(
        ([name, text]) =>
          text !== undefined &&
          text !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{toPrintable(text, maxChars, { lines: 'keep' })}</dd>
            </div>
          ),
      )}
    </dl>
  );
};
