import { isRecord, toPrintable } from '@casement/protocol';
import { useId, useRef } from 'react';
import type { FormNode } from '../call/form-model.js';
import { toBlank } from '../call/form-values.js';
import { FieldsView, type FormPart } from './arguments-form.js';
import { ValueControl } from './value-control.js';

interface ArrayProps extends FormPart {
  node: Extract<FormNode, { kind: 'array' }>;
  name: string;
  value: readonly unknown[];
  onChange(value: readonly unknown[]): void;
}

/** The items of a list, each with a way to take it out, and a way to add one. */
export const ArrayView = ({ node, name, value, path, problems, onChange }: ArrayProps) => {
  const add = useRef<HTMLButtonElement>(null);
  const remove = (index: number): void => {
    onChange(value.toSpliced(index, 1));
    // The button that had the focus is gone with its item.
    add.current?.focus();
  };
  return (
    <div className="items">
      {value.map((item, index) => (
        <div className="item" key={index} role="group" aria-label={`${toPrintable(name, 60)} ${index + 1}`}>
          <Item
            node={node.item}
            value={item}
            path={`${path}.${index}`}
            name={`${toPrintable(name, 60)} ${index + 1}`}
            problems={problems}
            onChange={(next) => onChange(value.with(index, next ?? null))}
          />
          <button
            type="button"
            className="small"
            aria-label={`Remove ${toPrintable(name, 60)} ${index + 1}`}
            onClick={() => remove(index)}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        ref={add}
        type="button"
        className="small"
        onClick={() => onChange([...value, toBlank(node.item, node.itemSchema)])}
      >
        Add<span className="unseen"> to {toPrintable(name, 60)}</span>
      </button>
    </div>
  );
};

interface ItemProps extends FormPart {
  node: FormNode;
  value: unknown;
  name: string;
  onChange(value: unknown): void;
}

const Item = ({ node, value, name, path, problems, onChange }: ItemProps) => {
  const id = useId();
  if (node.kind === 'object')
    return (
      <div className="item-fields">
        <FieldsView
          fields={node.fields}
          value={isRecord(value) ? value : {}}
          path={path}
          problems={problems}
          onChange={onChange}
        />
      </div>
    );
  if (node.kind === 'array')
    return (
      <ArrayView
        node={node}
        name={name}
        value={Array.isArray(value) ? value : []}
        path={path}
        problems={problems}
        onChange={onChange}
      />
    );
  return (
    <>
      <label className="unseen" htmlFor={id}>
        {name}
      </label>
      <ValueControl
        id={id}
        node={node}
        value={value}
        required
        hasDefault={false}
        invalid={problems.some((problem) => problem.path === path)}
        onChange={onChange}
      />
    </>
  );
};
