import type { AppSnapshot } from '@casement/host';
import type { ReactNode } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { Section } from '../../parts/section.js';
import { policyLists, toDeclaredLines } from '@casement/checks/policy';
import type { ViolationGroup } from './violation-groups.js';
import { toObserved } from './violation-groups.js';

type Policy = NonNullable<AppSnapshot['policy']>;

const Column = ({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) => (
  <div className="policy-column">
    <h5>{title}</h5>
    {children.length > 0 ? <ul>{children}</ul> : <p className="panel-note">{empty}</p>}
  </div>
);

const toItems = (lines: readonly string[], refused: ReadonlySet<string>): ReactNode[] =>
  lines.map((line, index) => (
    <li key={`${index} ${line}`} data-refused={refused.has(line)}>
      <code>{toPrintable(line, 200)}</code>
      {refused.has(line) && <span> not in force</span>}
    </li>
  ));

/** Per list: what the resource declared, what is in force, and what was blocked for not being there. */
export const PolicyTable = ({ policy, groups }: { policy: Policy; groups: readonly ViolationGroup[] }) => (
  <Section
    title="Policy"
    note={policy.declared ? undefined : 'The resource declares no csp: the default is in force.'}
  >
    {policyLists.map(({ name, field, effective, whenEmpty }) => {
      const refused = new Set(policy.dropped.filter((one) => one.field === field).map(({ value }) => value));
      const observed = toObserved(groups, field);
      return (
        <div key={field} className="policy-list">
          <h4>
            {name} <code>{field}</code>
          </h4>
          <div className="policy-columns">
            <Column title="Declared" empty="Nothing">
              {toItems(toDeclaredLines(policy.declared, field), refused)}
            </Column>
            <Column title="Effective" empty={whenEmpty}>
              {toItems(policy.effective[effective], new Set())}
            </Column>
            <Column title="Observed" empty="Nothing blocked">
              {observed.map(([origin, count]) => (
                <li key={origin} data-refused="true">
                  <code>{toPrintable(origin, 200)}</code> blocked, {count}×
                </li>
              ))}
            </Column>
          </div>
        </div>
      );
    })}
  </Section>
);
