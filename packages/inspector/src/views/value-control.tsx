import type { FormNode } from '../call/form-model.js';
import { isSame } from '../call/form-values.js';
import { toPrintable } from '@casement/protocol';
import { JsonInput, NumberInput } from './draft-inputs.js';

interface ControlProps {
  id: string;
  node: Exclude<FormNode, { kind: 'object' | 'array' }>;
  value: unknown;
  required: boolean;
  hasDefault: boolean;
  invalid: boolean;
  onChange(value: unknown): void;
}

/** The control for one plain value; emptying an optional one takes the argument out. */
export const ValueControl = ({ id, node, value, required, hasDefault, invalid, onChange }: ControlProps) => {
  const shared = {
    id,
    'aria-describedby': `${id}-notes`,
    'aria-invalid': invalid,
    'aria-required': required || undefined,
  };
  switch (node.kind) {
    case 'string': {
      const text = {
        ...shared,
        value: typeof value === 'string' ? value : '',
        placeholder: node.placeholder && toPrintable(node.placeholder, 80),
        onChange: (event: { target: { value: string } }) =>
          onChange(event.target.value === '' && !required ? undefined : event.target.value),
      };
      return node.long ? (
        <textarea {...text} rows={3} />
      ) : (
        <input {...text} type="text" autoComplete="off" spellCheck={false} />
      );
    }
    case 'number':
      return <NumberInput {...shared} node={node} value={value} onChange={onChange} />;
    case 'boolean':
      // Left out, true and false are three things unless the schema says what left out means.
      if (!required && !hasDefault)
        return (
          <Choice
            shared={shared}
            options={[true, false].map((one) => ({ label: String(one), value: one }))}
            value={value}
            optional
            onChange={onChange}
          />
        );
      return (
        <input
          {...shared}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'choice':
      return (
        <Choice
          shared={shared}
          options={node.options}
          value={value}
          optional={!required}
          onChange={onChange}
        />
      );
    case 'json':
      return <JsonInput {...shared} reason={node.reason} value={value} onChange={onChange} />;
  }
};

interface ChoiceProps {
  shared: { id: string };
  options: readonly { label: string; value: unknown }[];
  value: unknown;
  optional: boolean;
  onChange(value: unknown): void;
}

const Choice = ({ shared, options, value, optional, onChange }: ChoiceProps) => {
  const at = value === undefined ? -1 : options.findIndex((option) => isSame(option.value, value));
  return (
    <select {...shared} value={at} onChange={(event) => onChange(options[Number(event.target.value)]?.value)}>
      {(optional || at < 0) && <option value={-1}>not set</option>}
      {options.map((option, index) => (
        <option key={index} value={index}>
          {toPrintable(option.label, 120)}
        </option>
      ))}
    </select>
  );
};
