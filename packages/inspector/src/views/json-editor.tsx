import type { ArgumentProblem } from '../call/check-arguments.js';
import type { ParsedArguments } from '../call/parse-arguments.js';
import { toPrintable } from '@casement/protocol';

interface JsonEditorProps {
  text: string;
  parsed: ParsedArguments;
  problems: readonly ArgumentProblem[];
  /** What is wrong was said already, where it was tried to run. */
  isSaid: boolean;
  /** Why there is no form. */
  hint: string;
  onChange(text: string): void;
}

/** The arguments as text, with what is wrong about them below. */
export const JsonEditor = ({ text, parsed, problems, isSaid, hint, onChange }: JsonEditorProps) => (
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
