import type { ArgumentProblem } from '../call/check-arguments.js';
import type { FormField } from '../call/form-model.js';
import { setMember } from '../call/form-values.js';
import { FieldView } from './field-view.js';

/** What every part of the form gets: where it is, what it holds, what is wrong below it. */
export interface FormPart {
  path: string;
  problems: readonly ArgumentProblem[];
}

interface FieldsProps extends FormPart {
  fields: readonly FormField[];
  value: Record<string, unknown>;
  onChange(value: Record<string, unknown>): void;
}

/** The members of one object. */
export const FieldsView = ({ fields, value, path, problems, onChange }: FieldsProps) =>
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
