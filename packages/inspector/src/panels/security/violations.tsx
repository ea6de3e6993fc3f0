import type { SandboxPolicy } from '@casement/sandbox';
import { toPrintable } from '@casement/protocol/basics';
import { CopyButton } from '../../parts/copy-button.js';
import { Section } from '../../parts/section.js';
import type { Remedy } from '@casement/checks/policy';
import { toCombinedLine } from '@casement/checks/policy';
import type { ViolationGroup } from './violation-groups.js';
import { toCount } from './violation-groups.js';

const Line = ({ line }: { line: string }) => (
  <div className="metadata-line">
    <code>{toPrintable(line, 4_000)}</code>
    <CopyButton text={() => line} name="the metadata line" />
  </div>
);

const RemedyView = ({ remedy }: { remedy: Remedy }) =>
  remedy.kind === 'metadata' ? (
    <>
      <p>To allow it, put this on the resource (its content item in resources/read, not the tool):</p>
      <Line line={remedy.line} />
    </>
  ) : (
    <>
      <p>{toPrintable(remedy.reason, 400)}</p>
      <p>
        <strong>Instead:</strong> {toPrintable(remedy.instead, 400)}
      </p>
      {remedy.line !== undefined && <Line line={remedy.line} />}
    </>
  );

const Witnesses = ({ byBrowser, byListener }: ViolationGroup) => (
  <ul className="chips">
    {byBrowser > 0 && (
      <li
        data-witness="browser"
        title="Reported by the browser to the sandbox server. The app cannot forge or hide it."
      >
        browser report {byBrowser}×
      </li>
    )}
    {byListener > 0 && (
      <li
        data-witness="listener"
        title="Heard by a listener in the app’s page. The app could have forged it."
      >
        listener {byListener}×{byBrowser === 0 && ', unconfirmed'}
      </li>
    )}
  </ul>
);

const Group = ({ group }: { group: ViolationGroup }) => (
  <li className="violation">
    <h4>
      <code>{toPrintable(group.directive, 80)}</code> blocked <code>{toPrintable(group.blocked, 200)}</code>{' '}
      <span className="violation-count">{toCount(group)}×</span>
    </h4>
    <Witnesses {...group} />
    {group.addresses.length > 0 && (
      <ul className="violation-addresses" aria-label="Addresses">
        {group.addresses.map((address) => (
          <li key={address}>
            <code>{toPrintable(address, 400)}</code>
          </li>
        ))}
      </ul>
    )}
    {group.places.length > 0 && <p className="panel-note">At {toPrintable(group.places.join(', '), 600)}</p>}
    <RemedyView remedy={group.remedy} />
  </li>
);

const Groups = ({ groups }: { groups: readonly ViolationGroup[] }) => (
  <ul className="violation-list">
    {groups.map((group) => (
      <Group key={group.key} group={group} />
    ))}
  </ul>
);

const Combined = ({ groups, policy }: { groups: readonly ViolationGroup[]; policy: SandboxPolicy }) => {
  const line = toCombinedLine(
    groups.map(({ remedy }) => remedy),
    policy,
  );
  return line === undefined ? null : (
    <div className="violation-combined">
      <p>Everything metadata can allow, with what is in force already:</p>
      <Line line={line} />
    </div>
  );
};

/** Blocked loads, each with what would allow it and who says so. */
export const Violations = ({
  groups,
  policy,
  hasReports,
}: {
  groups: readonly ViolationGroup[];
  policy: SandboxPolicy;
  hasReports: boolean;
}) => {
  const harmful = groups.filter(({ isSurvived }) => !isSurvived);
  return (
    <>
      <Section title={harmful.length === 0 ? 'Violations' : `Violations (${harmful.length})`}>
        {harmful.length === 0 ? (
          <p className="panel-note">
            {groups.length === 0
              ? 'Nothing the app tried to load was blocked.'
              : 'Nothing the app needed was blocked, as far as can be seen.'}
          </p>
        ) : (
          <>
            <p className="panel-note">
              {hasReports
                ? 'A browser report cannot be forged by the app; what only the listener in its page heard could be.'
                : 'This sandbox gives no browser reports: these come from a listener in the app’s page, which it could forge.'}
            </p>
            <Groups groups={harmful} />
            <Combined groups={harmful} policy={policy} />
          </>
        )}
      </Section>
      {harmful.length < groups.length && (
        <Section
          title="Tried, and done without"
          note="The app was refused this, became ready all the same, and no error came of it. Schema libraries such as zod try eval to see whether they may compile. It matters only if a part of the app does not work."
        >
          <Groups groups={groups.filter(({ isSurvived }) => isSurvived)} />
        </Section>
      )}
    </>
  );
};
