import { memo, useMemo } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { toStatusWords } from '../servers/server-list.js';
import { toListedTools, type ListedTool } from '../servers/tool-order.js';
import { useInspector, useValue } from '../use-inspector.js';

// A menu of thousands is of no use and slow to open: past this the list with its search is the way.
const maxOptions = 300;

const ToolOptions = memo(({ tools, selected }: { tools: readonly ListedTool[]; selected?: string }) => {
  const offered = tools.slice(0, maxOptions);
  const missing = selected !== undefined && !offered.some(({ tool }) => tool.name === selected);
  return (
    <>
      {missing && <option value={selected}>{toPrintable(selected, 80)}</option>}
      {offered.map((one) => (
        <option key={one.tool.name} value={one.tool.name}>
          {toPrintable(one.tool.name, 80)}
        </option>
      ))}
      {tools.length > maxOptions && <option disabled>{tools.length - maxOptions} more in the list</option>}
    </>
  );
});

/** Names server and tool of the call; both can be changed here as well as in the lists. */
export const CallHead = () => {
  const { workbench } = useInspector();
  const { servers, serverName, toolName, server } = useValue(workbench);
  const tools = useMemo(() => toListedTools(server?.tools ?? []), [server?.tools]);
  const known = servers.some(({ summary }) => summary.name === serverName);
  return (
    <div className="call-head">
      <select
        aria-label="Server"
        value={serverName ?? ''}
        disabled={servers.length === 0}
        onChange={(event) => workbench.selectServer(event.target.value)}
      >
        {!known && <option value={serverName ?? ''}>{toPrintable(serverName ?? 'No server', 80)}</option>}
        {servers.map(({ summary, port }) => (
          <option key={summary.name} value={summary.name}>
            {toPrintable(port.name, 80)}
            {summary.status !== 'ready' && ` (${toStatusWords(summary)})`}
          </option>
        ))}
      </select>
      <span aria-hidden="true">/</span>
      <select
        aria-label="Tool"
        className="strong"
        value={toolName ?? ''}
        disabled={tools.length === 0}
        onChange={(event) => workbench.selectTool(event.target.value)}
      >
        {toolName === undefined && <option value="">No tool</option>}
        <ToolOptions tools={tools} selected={toolName} />
      </select>
    </div>
  );
};
