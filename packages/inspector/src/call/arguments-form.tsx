import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';
import { useId, useRef } from 'react';
import type { ArgumentProblem } from './check-arguments.js';
import type { FormField, FormNode } from './form-model.js';
import { setMember, toBlank } from './form-values.js';
import { ValueControl } from './value-control.js';

interface ArgumentsFormProps {
  fields: readonly FormField[];
  args: Record<string, unknown>;
  problems: readonly ArgumentProblem[];
  onChange(args: Record<string, unknown>): void;
}

/** The arguments as a form made from the tool's schema. */
export const ArgumentsForm = ({ fields, args, problems, onChange }: ArgumentsFormProps) =>
  fields.length === 0 ? (
    <p className="quiet">This tool takes no arguments.</p>
  ) : (
    <div className="form" role="group" aria-labelledby="arguments-title">
      <FieldsView fields={fields} value={args} path="" problems={problems} onChange={onChange} />
    </div>
  );

/** What every part of the form gets: where it is, what it holds, what is wrong below it. */
interface FormPart {
  path: string;
  problems: readonly ArgumentProblem[];
}

interface FieldsProps extends FormPart {
  fields: readonly FormField[];
  value: Record<string, unknown>;
  onChange(value: Record<string, unknown>): void;
}

/** The members of one object. */
const FieldsView = ({ fields, value, path, problems, onChange }: FieldsProps) =>
  fields.map((field) => (
    <FieldView
      key={field.name}
      field={field}
      value={Object.hasOwn(value, field.name) ? value[field.name] : undefined}
      path={path === '' ? field.name : `${path}.${field.name}`}
      problems={problems}
      onChange={(next) => onChange(setMember(value, field.name, next))}
    />
  ));

interface FieldProps extends FormPart {
  field: FormField;
  value: unknown;
  onChange(value: unknown): void;
}

/** One named argument: its label, its control, what it means and what is wrong with it. */
const FieldView = ({ field, value, path, problems, onChange }: FieldProps) => {
  const id = useId();
  const { node, required } = field;
  const problem = problems.find((one) => one.path === path);
  const notes = (
    <span id={`${id}-notes`} className="field-notes">
      {field.description && <span className="quiet">{toPrintable(field.description, 400)}</span>}
      {problem && <span className="warn-text">This {toPrintable(problem.message, 200)}.</span>}
    </span>
  );
  const label = (
    <>
      <span className="name">{toPrintable(field.name, 80)}</span>
      {required && (
        <span className="required" title="required" aria-hidden="true">
          *
        </span>
      )}
      {field.title && field.title.toLowerCase() !== field.name.toLowerCase() && (
        <span className="quiet"> {toPrintable(field.title, 80)}</span>
      )}
    </>
  );
  if (node.kind === 'object' || node.kind === 'array')
    return (
      <fieldset className="field" aria-describedby={`${id}-notes`}>
        <legend>
          {label}
          {required && <span className="unseen"> required</span>}
        </legend>
        {notes}
        {node.kind === 'object' ? (
          <FieldsView
            fields={node.fields}
            value={isRecord(value) ? value : {}}
            path={path}
            problems={problems}
            onChange={(next) => onChange(!required && Object.keys(next).length === 0 ? undefined : next)}
          />
        ) : (
          <ArrayView
            node={node}
            name={field.name}
            value={Array.isArray(value) ? value : []}
            path={path}
            problems={problems}
            onChange={(next) => onChange(!required && next.length === 0 ? undefined : next)}
          />
        )}
      </fieldset>
    );
  return (
    <div className="field" data-kind={node.kind}>
      <label htmlFor={id}>{label}</label>
      <ValueControl
        id={id}
        node={node}
        value={value}
        required={required}
        hasDefault={field.hasDefault}
        invalid={problem !== undefined}
        onChange={onChange}
      />
      {notes}
    </div>
  );
};

interface ArrayProps extends FormPart {
  node: Extract<FormNode, { kind: 'array' }>;
  name: string;
  value: readonly unknown[];
  onChange(value: readonly unknown[]): void;
}

/** The items of a list, each with a way to take it out, and a way to add one. */
const ArrayView = ({ node, name, value, path, problems, onChange }: ArrayProps) => {
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
