import type { EntryInput } from '@casement/gateway';
import { useId } from 'react';
import { toPrintable } from '@casement/protocol/basics';

type Values = ReadonlyMap<string, string>;

/** What was typed, else what an input offers first. */
export const toInputValue = ({ id, default: first, options }: EntryInput, values: Values): string =>
  values.get(id) ?? first ?? options?.[0] ?? '';

const toLabel = ({ id, description }: EntryInput): string =>
  description === undefined || description === ''
    ? toPrintable(id, 200)
    : `${toPrintable(description, 300)} (${toPrintable(id, 80)})`;

const InputField = ({
  input,
  value,
  onChange,
}: {
  readonly input: EntryInput;
  readonly value: string;
  onChange(value: string): void;
}) => {
  const id = useId();
  return (
    <div className="entry-field">
      <label htmlFor={id}>{toLabel(input)}</label>
      {input.options ? (
        <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
          {input.options.map((option) => (
            <option key={option} value={option}>
              {toPrintable(option, 200)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type={input.password ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
};

/** The values that a server asks for before it starts; they are stored apart and not shown again. */
export const InputFields = ({
  inputs,
  values,
  onChange,
}: {
  readonly inputs: readonly EntryInput[];
  readonly values: Values;
  onChange(values: Values): void;
}) =>
  inputs.length === 0 ? null : (
    <fieldset className="entry-inputs">
      <legend>It needs from you</legend>
      {inputs.map((input) => (
        <InputField
          key={input.id}
          input={input}
          value={toInputValue(input, values)}
          onChange={(value) => onChange(new Map([...values, [input.id, value]]))}
        />
      ))}
      <p className="quiet">Stored apart from the rest, readable by you alone, and never shown again.</p>
    </fieldset>
  );
