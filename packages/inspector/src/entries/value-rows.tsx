import { useId, useRef } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import type { ValueRow } from './entry-form.js';

interface ValueRowsProps {
  readonly what: 'variable' | 'header';
  readonly title: string;
  readonly rows: readonly ValueRow[];
  readonly problem: string | undefined;
  onChange(rows: readonly ValueRow[]): void;
}

const seemsSecret = /key|token|secret|passw|auth|cookie|credential/i;

/** Names and values, as many as there are; a secret is not shown while it is typed, a stored one never. */
export const ValueRows = ({ what, title, rows, problem, onChange }: ValueRowsProps) => {
  const id = useId();
  const place = useRef<HTMLFieldSetElement>(null);
  const change = (row: ValueRow, patch: Partial<ValueRow>): void =>
    onChange(rows.map((one) => (one === row ? { ...one, ...patch } : one)));
  const add = (): void => {
    const next = Math.max(-1, ...rows.map((row) => row.id)) + 1;
    onChange([...rows, { id: next, name: '', text: '', isSecret: false, isStored: false }]);
  };
  const remove = (row: ValueRow): void => {
    onChange(rows.filter((one) => one !== row));
    place.current?.querySelector<HTMLElement>('.add-row')?.focus();
  };
  return (
    <fieldset ref={place} className="value-rows" aria-describedby={problem && `${id}-problem`}>
      <legend>{title}</legend>
      {rows.map((row, index) => {
        const named = row.name === '' ? `${what} ${index + 1}` : `${what} ${toPrintable(row.name, 60)}`;
        return (
          <div key={row.id} className="value-row">
            <input
              type="text"
              aria-label={`Name of ${what} ${index + 1}`}
              placeholder="Name"
              autoComplete="off"
              spellCheck={false}
              value={row.name}
              readOnly={row.isStored}
              // A row is added to be filled in.
              autoFocus={!row.isStored && row.name === '' && row.text === ''}
              onChange={({ target: { value: name } }) =>
                change(row, { name, ...(row.text === '' && { isSecret: seemsSecret.test(name) }) })
              }
            />
            <input
              type={row.isSecret ? 'password' : 'text'}
              aria-label={`Value of ${named}`}
              placeholder={row.isStored ? 'stored; type to replace it' : 'Value'}
              autoComplete="off"
              spellCheck={false}
              value={row.text}
              onChange={({ target }) => change(row, { text: target.value })}
            />
            <label className="secret">
              <input
                type="checkbox"
                aria-label={`${named} is a secret`}
                checked={row.isSecret}
                disabled={row.isStored}
                onChange={({ target }) => change(row, { isSecret: target.checked })}
              />
              Secret
            </label>
            <button
              type="button"
              className="small"
              aria-label={`Remove ${named}`}
              onClick={() => remove(row)}
            >
              ✕
            </button>
          </div>
        );
      })}
      <button type="button" className="small add-row" onClick={add}>
        Add a {what}
      </button>
      {problem !== undefined && (
        <p id={`${id}-problem`} className="error-text">
          {toPrintable(problem, 300)}
        </p>
      )}
    </fieldset>
  );
};
