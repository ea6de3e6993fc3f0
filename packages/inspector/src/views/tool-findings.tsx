import type { Tool } from '@casement/protocol';
import { readToolUi, toPrintable } from '@casement/protocol';
import { useMemo } from 'react';

/** What is wrong with a tool's own metadata, with the line that mends it. */
export const ToolFindings = ({ tool }: { tool: Tool }) => {
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
