import type { Tool } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { readToolUi } from '@casement/protocol/resource';
import { lazy, useMemo, type FormEvent, type KeyboardEvent } from 'react';
import { ArgumentsEditor } from './arguments-editor.js';
import { CallActions } from './call-actions.js';
import { CallHead } from './call-head.js';
import { AfterDraw } from '../parts/after-draw.js';
import { LatePart } from '../parts/late-part.js';
import { ToolHints } from '../servers/tool-hints.js';
import { useInspector, useValue } from '../use-inspector.js';

const ToolLint = lazy(async () => ({
  default: (await import('../servers/declared-findings.js')).ToolLint,
}));

/** The findings about a tool's metadata, each with the line that fixes it. */
const ToolFindings = ({ tool }: { tool: Tool }) => {
  const findings = useMemo(() => readToolUi(tool).findings, [tool]);
  if (findings.length === 0) return null;
  return (
    <ul className="findings" aria-label="Findings about the tool">
      {findings.map(({ code, message, fix, path }) => (
        <li key={`${code} ${path}`}>
          {toPrintable(message, 400)} <span className="quiet">{toPrintable(fix, 400)}</span>
        </li>
      ))}
    </ul>
  );
};

/** The call: which tool, with which arguments, and how it went. */
export const CallSection = ({ inert }: { inert: boolean }) => {
  const { workbench, run } = useInspector();
  const { tool, problem, server } = useValue(workbench);
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
        {tool && <ToolHints annotations={tool.annotations} />}
        {tool && <ToolFindings tool={tool} />}
        {tool && (
          <AfterDraw>
            <LatePart name="what the tool declares" quiet>
              <ToolLint tool={tool} tools={server?.tools ?? []} />
            </LatePart>
          </AfterDraw>
        )}
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
