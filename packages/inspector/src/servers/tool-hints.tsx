import { isRecord } from '@casement/protocol/start';

const hints = [
  ['readOnlyHint', 'reads only', 'changes things'],
  ['destructiveHint', 'may destroy', 'destroys nothing'],
  ['idempotentHint', 'safe to repeat', 'not safe to repeat'],
  ['openWorldHint', 'reaches outside', 'stays inside'],
] as const;

const toHints = (annotations: unknown): string[] =>
  isRecord(annotations)
    ? hints.flatMap(([name, yes, no]) =>
        typeof annotations[name] === 'boolean' ? [annotations[name] ? yes : no] : [],
      )
    : [];

/** What a tool says of itself; its author's word, nothing is checked. */
export const ToolHints = ({ annotations }: { annotations: unknown }) => {
  const said = toHints(annotations);
  return (
    said.length > 0 && (
      <ul className="chips" aria-label="What the tool says of itself">
        {said.map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    )
  );
};
