import type { FormEvent, KeyboardEvent } from 'react';
import { toPrintable } from '@casement/protocol';
import { ArgumentsEditor } from './arguments-editor.js';
import { CallActions } from './call-actions.js';
import { CallHead } from './call-head.js';
import { ToolFindings } from './tool-findings.js';
import { useInspector, useValue } from './use-inspector.js';

/** The call: which tool, with which arguments, and how it went. */
export const CallSection = ({ inert }: { inert: boolean }) => {
  const { workbench, run } = useInspector();
  const { tool, problem } = useValue(workbench);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  };
  return (
    // Ours are the checks: the browser's own would keep a developer from sending what a server should refuse.
    <form className="call" aria-label="Call" onSubmit={submit} onKeyDown={onKeyDown} noValidate inert={inert}>
      <CallHead />
      <div className="call-body">
        {tool?.description && <p className="description">{toPrintable(tool.description, 600)}</p>}
        {tool && <ToolFindings tool={tool} />}
        <ArgumentsEditor />
      </div>
      {problem !== '' && (
        <p className="error-text" role="alert">
          {toPrintable(problem, 2_000)}
        </p>
      )}
      <CallActions />
    </form>
  );
};
