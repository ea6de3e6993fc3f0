import { isRecord, toPrintable } from '@casement/protocol';
import { useId } from 'react';
import type { FormField } from '../call/form-model.js';
import { ArrayView } from './array-view.js';
import { FieldsView, type FormPart } from './arguments-form.js';
import { ValueControl } from './value-control.js';

interface FieldProps extends FormPart {
  field: FormField;
  value: unknown;
  onChange(value: unknown): void;
}

/** One named argument: its label, its control, what it means and what is wrong with it. */
export const FieldView = ({ field, value, path, problems, onChange }: FieldProps) => {
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
