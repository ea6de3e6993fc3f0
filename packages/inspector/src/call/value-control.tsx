import { useState } from 'react';
import type { FormNode } from './form-model.js';
import { isSame } from './form-values.js';
import { toPrintable } from '@casement/protocol/basics';

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

interface DraftProps {
  id: string;
  value: unknown;
  onChange(value: unknown): void;
}

const toNumber = (text: string): number | undefined => {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
};

/** A number while it is typed: what is not one yet stays in the field and out of the arguments. */
const NumberInput = ({
  node,
  value,
  onChange,
  ...shared
}: DraftProps & { node: Extract<FormNode, { kind: 'number' }> }) => {
  const [draft, setDraft] = useState('');
  const text =
    toNumber(draft) === value && draft !== '' ? draft : value === undefined ? draft : String(value);
  return (
    <input
      {...shared}
      type="text"
      inputMode={node.integer ? 'numeric' : 'decimal'}
      autoComplete="off"
      placeholder={toRange(node)}
      value={text}
      onChange={(event) => {
        setDraft(event.target.value);
        onChange(toNumber(event.target.value));
      }}
      onBlur={() => setDraft('')}
    />
  );
};

const toRange = ({ min, max }: { min?: number; max?: number }): string | undefined => {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `${min} or more`;
  return max === undefined ? undefined : `${max} or less`;
};

const parse = (text: string): { value: unknown } | undefined => {
  if (text.trim() === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

/** A part of the arguments as JSON; it is taken over whenever it can be read. */
const JsonInput = ({ reason, value, onChange, ...shared }: DraftProps & { reason: string }) => {
  const [draft, setDraft] = useState<string>();
  const parsed = draft === undefined ? undefined : parse(draft);
  const stale = parsed !== undefined && !isSame(parsed.value, value);
  const text = draft === undefined || stale ? (JSON.stringify(value, null, 2) ?? '') : draft;
  return (
    <span className="json-input">
      <textarea
        {...shared}
        rows={Math.min(text.split('\n').length + 1, 8)}
        spellCheck={false}
        placeholder={`JSON: ${reason}`}
        value={text}
        onChange={(event) => {
          setDraft(event.target.value);
          const next = parse(event.target.value);
          if (next) onChange(next.value);
        }}
      />
      {draft !== undefined && !parsed && <span className="error-text">Not JSON yet.</span>}
    </span>
  );
};
