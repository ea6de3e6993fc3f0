import type { AppSnapshot } from '@casement/host';
import { useMemo } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { CopyButton } from '../../parts/copy-button.js';
import { Section } from '../../parts/section.js';
import { Permissions, type PermissionChoice } from './permissions.js';
import { PolicyTable } from './policy-table.js';
import { RememberedChoices, type RememberedProps } from './remembered-choices.js';
import type { CspReport } from '../../connection/gateway-client.js';
import { toViolationGroups } from './violation-groups.js';
import { Violations } from './violations.js';

type Policy = NonNullable<AppSnapshot['policy']>;

/** The session knows the spelling that would be accepted, if there is one. */
const toFix = (snapshot: AppSnapshot, { field, value }: Policy['dropped'][number]): string | undefined =>
  snapshot.findings.find(
    ({ code, path, message }) =>
      code === 'domain-dropped' && path.endsWith(`.${field}`) && message.startsWith(`${value} `),
  )?.fix;

const DroppedItem = ({
  field,
  value,
  reason,
  fix,
}: Policy['dropped'][number] & { fix: string | undefined }) => (
  <li>
    <p>
      <code>{toPrintable(value, 200)}</code> {toPrintable(reason, 300)}.
    </p>
    {fix !== undefined && (
      <p>
        <strong>Fix:</strong> {toPrintable(fix, 400)}
      </p>
    )}
    <p className="panel-note">
      In <code>{field}</code>
    </p>
  </li>
);

const Dropped = ({ snapshot, dropped }: { snapshot: AppSnapshot; dropped: Policy['dropped'] }) =>
  dropped.length === 0 ? null : (
    <Section title={`Declared but not in force (${dropped.length})`}>
      <ul className="finding-list">
        {dropped.map((one, index) => (
          <DroppedItem key={`${index} ${one.value}`} {...one} fix={toFix(snapshot, one)} />
        ))}
      </ul>
    </Section>
  );

const Header = ({ csp }: { csp: string }) => (
  <Section title="Content-Security-Policy in force">
    <div className="json-text">
      <div className="json-head">
        <span>One directive per line</span>
        <CopyButton text={() => csp} name="the policy header" />
      </div>
      <pre tabIndex={0} role="group" aria-label="Content-Security-Policy">
        {toPrintable(csp.replaceAll('; ', ';\n'), 12_000, { lines: 'keep' })}
      </pre>
    </div>
  </Section>
);

/**
 * Whether the browser has `Connection-Allowlist`. A page cannot ask that, but it can ask for credentialless frames, and
 * only Chromium has either.
 */
const hasConnectionAllowlist = (): boolean => 'credentialless' in HTMLIFrameElement.prototype;

const listSideDoors = (): string =>
  'RTCPeerConnection' in window ? 'WebRTC, DNS prefetch and preconnect' : 'DNS prefetch and preconnect';

const BrowserLimits = () =>
  hasConnectionAllowlist() ? null : (
    <Section title="This browser">
      <p>
        It has no Connection-Allowlist. Requests of the app are held to the policy below, but{' '}
        {listSideDoors()} are not: an app can let data out by them. Look at apps you do not trust in a new
        Chromium.
      </p>
    </Section>
  );

/** Which calls of tools are asked about; the same words as the policy that decides. */
const CallRules = () => (
  <Section title="Calls of tools">
    <ul className="call-rules">
      <li>
        <strong>The model:</strong> a tool that does not say <code>readOnlyHint: true</code> is asked about,
        unless <em>Run tools without asking</em> is on in the chat.
      </li>
      <li>
        <strong>An app, a tool of its own server:</strong> asked about when the tool says{' '}
        <code>destructiveHint: true</code>, or <code>readOnlyHint: false</code> without{' '}
        <code>destructiveHint: false</code>.
      </li>
      <li>
        <strong>An app, a tool without annotations:</strong> runs, is recorded, and is a finding in State.
      </li>
    </ul>
    <p className="panel-note">
      Annotations are a server’s own words, which nobody checks. Where they contradict each other or cannot be
      read, the stricter reading counts. What was answered for always holds without a question, and after a no
      the same call of the same app is refused without one.
    </p>
  </Section>
);

/** What the app may load, what it declared, and what was blocked, each with the line that would allow it. */
export const SecurityPanel = ({
  snapshot,
  reports,
  permissions,
  ...remembered
}: {
  snapshot?: AppSnapshot | undefined;
  reports: readonly CspReport[];
  permissions: PermissionChoice;
} & RememberedProps) => {
  const groups = useMemo(() => (snapshot ? toViolationGroups(snapshot, reports) : []), [snapshot, reports]);
  return (
    <div className="security-panel panel-body panel-scroll" tabIndex={0} role="group" aria-label="Security">
      <h2 className="unseen">Security</h2>
      {snapshot?.policy ? (
        <>
          <Violations
            groups={groups}
            policy={snapshot.policy.effective}
            hasReports={snapshot.fallback === undefined}
          />
          <BrowserLimits />
          <PolicyTable policy={snapshot.policy} groups={groups} />
          <Dropped snapshot={snapshot} dropped={snapshot.policy.dropped} />
          <Permissions policy={snapshot.policy} {...permissions} />
          <Header csp={snapshot.policy.csp} />
        </>
      ) : (
        <p className="panel-empty">
          {snapshot
            ? 'No policy is in force yet: the resource has not been read.'
            : 'No app is shown. Run a tool that has one.'}
        </p>
      )}
      <CallRules />
      <RememberedChoices {...remembered} />
    </div>
  );
};
