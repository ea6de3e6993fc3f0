import { toPrintable } from '@casement/protocol/basics';
import { useMemo } from 'react';
import { checkArguments, type ArgumentProblem } from './check-arguments.js';
import { fitsForm } from './form-values.js';
import { parseJsonArguments, type ParsedArguments } from '../parts/parse-json-arguments.js';
import { ArgumentsForm } from './arguments-form.js';
import { useInspector, useValue } from '../use-inspector.js';

/** Why the form cannot stand for the arguments, or nothing when it can. */
const useFormHindrance = (): string => {
  const { form, text, tool } = useValue(useInspector().workbench);
  return useMemo(() => {
    if (!tool) return 'No tool is selected.';
    if ('jsonOnly' in form) return form.jsonOnly;
    const parsed = parseJsonArguments(text);
    if (!parsed.ok) return 'The JSON has to be valid before it can be shown as a form.';
    return fitsForm(form, parsed.args) ? '' : 'These arguments hold something the form cannot show.';
  }, [form, text, tool]);
};

/** The arguments, as a form or as JSON: two faces of the same text. */
export const ArgumentsEditor = () => {
  const { workbench } = useInspector();
  const { form, text, face, problem } = useValue(workbench);
  const hindrance = useFormHindrance();
  const parsed = useMemo(() => parseJsonArguments(text), [text]);
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

interface JsonEditorProps {
  text: string;
  parsed: ParsedArguments;
  problems: readonly ArgumentProblem[];
  /** The problem is shown already, beside the Run button. */
  isSaid: boolean;
  /** Why there is no form. */
  hint: string;
  onChange(text: string): void;
}

/** The arguments as text, with what is wrong about them below. */
const JsonEditor = ({ text, parsed, problems, isSaid, hint, onChange }: JsonEditorProps) => (
  <div className="json-editor">
    <textarea
      aria-label="Arguments"
      aria-describedby="arguments-notes"
      aria-invalid={!parsed.ok}
      spellCheck={false}
      autoComplete="off"
      rows={Math.min(Math.max(text.split('\n').length, 3), 12)}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
    <div id="arguments-notes" className="notes">
      {!parsed.ok && !isSaid && <p className="error-text">{toPrintable(parsed.reason, 300)}</p>}
      {problems.length > 0 && (
        <ul className="warn-text">
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{toPrintable(path, 80)}</code> {toPrintable(message, 200)}
            </li>
          ))}
        </ul>
      )}
      {parsed.ok && hint !== '' && <p className="quiet">{hint}</p>}
    </div>
  </div>
);
