import { useMemo } from 'react';
import { checkArguments } from '../call/check-arguments.js';
import { fitsForm } from '../call/form-values.js';
import { parseArguments } from '../call/parse-arguments.js';
import { ArgumentsForm } from './arguments-form.js';
import { JsonEditor } from './json-editor.js';
import { useInspector, useValue } from './use-inspector.js';

/** Why the form cannot stand for the arguments, or nothing when it can. */
const useFormHindrance = (): string => {
  const { form, text, tool } = useValue(useInspector().workbench);
  return useMemo(() => {
    if (!tool) return 'No tool is selected.';
    if ('jsonOnly' in form) return form.jsonOnly;
    const parsed = parseArguments(text);
    if (!parsed.ok) return 'The JSON has to be valid before it can be shown as a form.';
    return fitsForm(form, parsed.args) ? '' : 'These arguments hold something the form cannot show.';
  }, [form, text, tool]);
};

/** The arguments, as a form or as JSON: two faces of the same text. */
export const ArgumentsEditor = () => {
  const { workbench } = useInspector();
  const { form, text, face, problem } = useValue(workbench);
  const hindrance = useFormHindrance();
  const parsed = useMemo(() => parseArguments(text), [text]);
  const problems = useMemo(() => (parsed.ok ? checkArguments(form, parsed.args) : []), [form, parsed]);
  const isForm = face === 'form' && hindrance === '' && parsed.ok && 'fields' in form;
  return (
    <div className="arguments">
      <div className="line">
        <h2 id="arguments-title">Arguments</h2>
        <div className="segments" role="group" aria-label="Show arguments as">
          <button
            type="button"
            aria-pressed={isForm}
            disabled={hindrance !== ''}
            title={hindrance || undefined}
            onClick={() => workbench.setFace('form')}
          >
            Form
          </button>
          <button type="button" aria-pressed={!isForm} onClick={() => workbench.setFace('json')}>
            JSON
          </button>
        </div>
      </div>
      {isForm ? (
        <ArgumentsForm
          fields={form.fields}
          args={parsed.args}
          problems={problems}
          onChange={(args) => workbench.setText(JSON.stringify(args, null, 2))}
        />
      ) : (
        <JsonEditor
          text={text}
          parsed={parsed}
          problems={problems}
          isSaid={problem !== ''}
          hint={hindrance}
          onChange={(next) => workbench.setText(next)}
        />
      )}
    </div>
  );
};
