import type { DoctorFinding } from '@casement/checks/doctor';
import { lintServer, lintTool } from '@casement/checks/rules';
import type { Tool } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { readToolUi } from '@casement/protocol/resource';
import { useMemo } from 'react';

const maxShown = 50;

const toCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const FindingItems = ({ findings }: { findings: readonly DoctorFinding[] }) => (
  <>
    {findings.slice(0, maxShown).map(({ code, message, fix }, index) => (
      <li key={`${index} ${code}`}>
        {toPrintable(message, 500)} <span className="quiet">{toPrintable(fix, 400)}</span>
      </li>
    ))}
    {findings.length > maxShown && <li className="quiet">and {findings.length - maxShown} more</li>}
  </>
);

const isRemark = ({ severity }: DoctorFinding): boolean => severity === 'note';

const Remarks = ({ findings }: { findings: readonly DoctorFinding[] }) =>
  findings.length > 0 && (
    <details className="fold">
      <summary>{toCount(findings.length, 'remark')}</summary>
      <ul className="findings remarks" aria-label="Remarks">
        <FindingItems findings={findings} />
      </ul>
    </details>
  );

/** What the rules find in the declaration of a tool, besides what is said of its link to an app. */
export const ToolLint = ({ tool, tools }: { tool: Tool; tools: readonly Tool[] }) => {
  const findings = useMemo(() => {
    const said = new Set(readToolUi(tool).findings.map(({ code, path }) => `${code} ${path}`));
    return lintTool(tool, { tools }).filter(({ code, path }) => !said.has(`${code} ${path ?? ''}`));
  }, [tool, tools]);
  const faults = findings.filter((finding) => !isRemark(finding));
  return (
    <>
      {faults.length > 0 && (
        <ul className="findings" aria-label="Findings about what the tool declares">
          <FindingItems findings={faults} />
        </ul>
      )}
      <Remarks findings={findings.filter(isRemark)} />
    </>
  );
};

/** What the rules find in the declarations of all tools of a server. */
export const ServerLint = ({ tools }: { tools: readonly Tool[] }) => {
  const findings = useMemo(() => lintServer({ tools }), [tools]);
  if (findings.length === 0) return null;
  const faults = findings.filter((finding) => !isRemark(finding));
  const remarks = findings.length - faults.length;
  const counts = [
    ...(faults.length > 0 ? [toCount(faults.length, 'finding')] : []),
    ...(remarks > 0 ? [toCount(remarks, 'remark')] : []),
  ];
  return (
    <details className="fold">
      <summary>What it declares: {counts.join(', ')}</summary>
      <ul className="findings" aria-label="Findings about what the server declares">
        <FindingItems findings={[...faults, ...findings.filter(isRemark)]} />
      </ul>
    </details>
  );
};
