import { useState } from 'react';
import type { FormNode } from '../call/form-model.js';
import { isSame } from '../call/form-values.js';

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
export const NumberInput = ({
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
export const JsonInput = ({ reason, value, onChange, ...shared }: DraftProps & { reason: string }) => {
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
