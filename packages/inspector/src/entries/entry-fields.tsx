import type { ReactNode } from 'react';
import { useId, useMemo } from 'react';
import { LabelledSelect } from '../parts/labelled-select.js';
import { parseCommandLine } from './command-line.js';
import type { AddressForm, CommandForm, EntryForm, FormProblems } from './entry-form.js';
import { ExactEntry } from './exact-view.js';
import { ValueRows } from './value-rows.js';

interface FieldProps {
  readonly label: string;
  readonly note?: string;
  readonly problem?: string | undefined;
  children(shared: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
    autoComplete: 'off';
    spellCheck: false;
  }): ReactNode;
}

const Field = ({ label, note, problem, children }: FieldProps) => {
  const id = useId();
  return (
    <div className="entry-field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': `${id}-notes`,
        'aria-invalid': problem !== undefined,
        autoComplete: 'off',
        spellCheck: false,
      })}
      <div id={`${id}-notes`} className="field-notes">
        {note !== undefined && <span className="quiet">{note}</span>}
        {problem !== undefined && <span className="error-text">{problem}</span>}
      </div>
    </div>
  );
};

interface FormProps<Form extends EntryForm> {
  readonly form: Form;
  readonly problems: FormProblems;
  /** The name of an entry that exists is what links and the API call it. */
  readonly isNamed: boolean;
  onChange(form: Form): void;
  onSubmit(): void;
}

const NameField = ({
  form,
  isNamed,
  onChange,
}: Pick<FormProps<EntryForm>, 'form' | 'isNamed' | 'onChange'>) =>
  isNamed ? null : (
    <Field label="Name (optional)" note="Without one, the name that the server gives itself is shown.">
      {(shared) => (
        <input
          {...shared}
          type="text"
          maxLength={200}
          value={form.name}
          onChange={({ target }) => onChange({ ...form, name: target.value })}
        />
      )}
    </Field>
  );

const CommandFields = ({ form, problems, isNamed, onChange, onSubmit }: FormProps<CommandForm>) => {
  const line = useMemo(() => parseCommandLine(form.line), [form.line]);
  const isSplit = line.program !== '' && line.problem === undefined;
  const { variables, args } = line;
  return (
    <>
      <Field label="Command" note="As in a terminal. No shell takes part." problem={problems.line}>
        {(shared) => (
          <textarea
            {...shared}
            data-first
            rows={2}
            placeholder="npx -y my-server --stdio"
            value={form.line}
            onChange={({ target }) => onChange({ ...form, line: target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              onSubmit();
            }}
          />
        )}
      </Field>
      {isSplit && (
        <div className="split" role="group" aria-label="The command, taken apart">
          <ExactEntry isLine entry={{ kind: 'stdio', command: line.program, args, env: variables }} />
          {line.notes.map((note) => (
            <p key={note} className="warn-text">
              {note}
            </p>
          ))}
        </div>
      )}
      <Field label="Folder (optional)" note="Where it is started. Without one: where casement was started.">
        {(shared) => (
          <input
            {...shared}
            type="text"
            value={form.cwd}
            onChange={({ target }) => onChange({ ...form, cwd: target.value })}
          />
        )}
      </Field>
      <ValueRows
        what="variable"
        title="Environment variables"
        rows={form.values}
        problem={problems.values}
        onChange={(values) => onChange({ ...form, values })}
      />
      <NameField form={form} isNamed={isNamed} onChange={(next) => onChange({ ...form, name: next.name })} />
    </>
  );
};

const AddressFields = ({ form, problems, isNamed, onChange }: FormProps<AddressForm>) => (
  <>
    <Field label="Address" problem={problems.url}>
      {(shared) => (
        <input
          {...shared}
          data-first
          type="url"
          placeholder="https://example.com/mcp"
          value={form.url}
          onChange={({ target }) => onChange({ ...form, url: target.value })}
        />
      )}
    </Field>
    <LabelledSelect
      label="Transport"
      value={form.transport}
      options={[
        { value: 'auto', label: 'Streamable HTTP, else SSE' },
        { value: 'sse', label: 'HTTP+SSE' },
      ]}
      onChange={(transport) => onChange({ ...form, transport })}
    />
    <Field
      label="Bearer token (optional)"
      note="Sent as the header Authorization; stored apart, and never shown again."
      problem={problems.bearer}
    >
      {(shared) => (
        <input
          {...shared}
          type="password"
          value={form.bearer}
          onChange={({ target }) => onChange({ ...form, bearer: target.value })}
        />
      )}
    </Field>
    <ValueRows
      what="header"
      title="Headers"
      rows={form.values}
      problem={problems.values}
      onChange={(values) => onChange({ ...form, values })}
    />
    <NameField form={form} isNamed={isNamed} onChange={(next) => onChange({ ...form, name: next.name })} />
  </>
);

/** The fields of one server, by command or by address. */
export const EntryFields = ({ form, onChange, ...rest }: FormProps<EntryForm>) =>
  form.kind === 'stdio' ? (
    <CommandFields form={form} onChange={onChange} {...rest} />
  ) : (
    <AddressFields form={form} onChange={onChange} {...rest} />
  );
