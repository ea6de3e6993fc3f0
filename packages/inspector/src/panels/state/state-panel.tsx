import type { DoctorReport } from '@casement/checks/doctor';
import type { ServerSummary } from '@casement/gateway';
import type { AppSnapshot } from '@casement/host';
import { toAllowAttribute, toFrameSandbox } from '@casement/sandbox/address';
import { toPrintable } from '@casement/protocol/basics';
import { familyNames } from '../../servers/tool-order.js';
import { JsonText } from '../../parts/json-text.js';
import { Disclosure } from '../../parts/disclosure.js';
import { Facts, Section } from '../../parts/section.js';
import { toByteSize } from '../../parts/quantity.js';
import type { CallAppTool } from './app-tool-call.js';
import { AppTools } from './app-tools.js';
import { CapabilityLists, WidgetMethods } from './capability-lists.js';
import { Dialects } from './dialects.js';
import { Drawing } from './drawing.js';
import { FindingList } from '../../doctor/finding-list.js';
import { toSummary } from '../../doctor/report-summary.js';
import { StageReports } from '../../doctor/stage-reports.js';
import { ModelContextView } from './model-context.js';
import { toContextFacts, toProvenanceFacts, toSiteText, toSizeText, toStorageText } from './state-facts.js';

const cacheTexts: Record<NonNullable<NonNullable<AppSnapshot['resource']>['cache']>, string> = {
  new: 'read for the first time',
  revalidated: 'read again, unchanged',
  changed: 'read again, and it had changed',
};

const Resource = ({ resource }: { resource: NonNullable<AppSnapshot['resource']> }) => (
  <Section title="Resource">
    <Facts
      rows={[
        ['Address', <code key="uri">{toPrintable(resource.uri, 400)}</code>],
        ...(resource.family === undefined ? [] : [['Family', familyNames[resource.family]] as const]),
        ['Size', toByteSize(resource.bytes)],
        ...(resource.cache === undefined ? [] : [['Cache', cacheTexts[resource.cache]] as const]),
        [
          'SHA-256',
          <code key="hash">{resource.hash === '' ? 'not available on this page' : resource.hash}</code>,
        ],
        ...toProvenanceFacts(resource),
        ...(resource.prefersBorder === undefined
          ? []
          : [['Prefers a border', resource.prefersBorder ? 'yes' : 'no'] as const]),
      ]}
    />
  </Section>
);

const Frame = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { address, policy, fallback, storage } = snapshot;
  if (!address) return null;
  const allow = policy && toAllowAttribute(policy.effective.permissions);
  const isOpaque = address.appOrigin === 'null';
  return (
    <Section title="Origins and frame flags">
      <Facts
        rows={[
          ['App origin', <code key="app">{isOpaque ? 'opaque (null)' : address.appOrigin}</code>],
          ['Proxy origin', <code key="proxy">{address.proxyOrigin}</code>],
          ...(address.site ? [['App’s site', toSiteText(address.site)] as const] : []),
          ['sandbox', <code key="sandbox">{toFrameSandbox({})}</code>],
          ...(allow === undefined ? [] : [['allow', <code key="allow">{allow}</code>] as const]),
          ...(storage ? [['Storage', toStorageText(storage)] as const] : []),
          [
            'Fallback',
            fallback ? `${fallback.kind}: ${toPrintable(fallback.reason, 400)}` : 'none, an origin per app',
          ],
        ]}
      />
    </Section>
  );
};

/** The failure as the host says it; cause and fix are with the stage. */
const Failure = ({ snapshot: { failure, status } }: { snapshot: AppSnapshot }) =>
  failure && (
    <div className="panel-problem" data-ended={status === 'failed'}>
      <p>
        <code>{failure.code}</code> {toPrintable(failure.message, 600)}
      </p>
      {failure.hint !== undefined && <p>{toPrintable(failure.hint, 600)}</p>}
    </div>
  );

const FindingSection = ({ title, findings }: { title: string; findings: DoctorReport['findings'] }) =>
  findings.length > 0 && (
    <Section title={`${title} (${findings.length})`}>
      <FindingList findings={findings} />
    </Section>
  );

const Stages = ({ report }: { report: DoctorReport }) => (
  <>
    <Section title="Doctor" note={toSummary(report).text}>
      <StageReports report={report} />
    </Section>
    <FindingSection
      title="Findings"
      findings={report.findings.filter(({ severity }) => severity !== 'note')}
    />
    <FindingSection
      title="Remarks"
      findings={report.findings.filter(({ severity }) => severity === 'note')}
    />
  </>
);

const Session = ({ snapshot }: { snapshot: AppSnapshot }) => (
  <Section title="Session">
    <Failure snapshot={snapshot} />
    <Facts
      rows={[
        ['Status', snapshot.status],
        ['Epoch', `${snapshot.epoch}${snapshot.epoch > 1 ? ' (the app was initialised anew)' : ''}`],
        [
          'Pre-warmed',
          snapshot.prewarmed ? 'yes, its frames were opened before the resource was read' : 'no',
        ],
        ['Display mode', snapshot.displayMode],
        ['Size in force', toSizeText(snapshot)],
        ['Messages dropped', String(snapshot.dropped)],
        ['Session', <code key="session">{snapshot.session}</code>],
      ]}
    />
  </Section>
);

const App = ({ snapshot: { appInfo } }: { snapshot: AppSnapshot }) => (
  <Section title="App">
    {appInfo ? (
      <Facts
        rows={(['name', 'title', 'version', 'description', 'websiteUrl'] as const).flatMap((name) => {
          const value = appInfo[name];
          return value === undefined ? [] : [[name, toPrintable(value, 300)] as const];
        })}
      />
    ) : (
      <p className="panel-note">The app has not said who it is: it does so in ui/initialize.</p>
    )}
  </Section>
);

/** Where the session of the app that is shown stands, and everything both sides told each other about themselves. */
export const StatePanel = ({
  snapshot,
  report,
  server,
  contextUpdates,
  hasModel,
  onCallAppTool,
}: {
  snapshot?: AppSnapshot | undefined;
  report?: DoctorReport | undefined;
  server?: ServerSummary | undefined;
  contextUpdates: number;
  /** Whether the app is part of a conversation. */
  hasModel: boolean;
  onCallAppTool: CallAppTool;
}) => (
  <div className="state-panel panel-body panel-scroll" tabIndex={0} role="group" aria-label="State">
    <h2 className="unseen">State</h2>
    {snapshot ? (
      <>
        {report && <Stages report={report} />}
        <Drawing app={snapshot} />
        <Session snapshot={snapshot} />
        <Dialects snapshot={snapshot} />
        <App snapshot={snapshot} />
        <AppTools snapshot={snapshot} onCall={onCallAppTool} />
        <ModelContextView snapshot={snapshot} updates={contextUpdates} hasModel={hasModel} />
        <CapabilityLists snapshot={snapshot} server={server} />
        <WidgetMethods snapshot={snapshot} />
        <Section
          title="Host context sent"
          note="The app gets it in the answer to ui/initialize and each change as ui/notifications/host-context-changed. Looking like it is the app’s own work: apply theme and styles.variables from both."
        >
          <Facts rows={toContextFacts(snapshot.hostContext)} />
          <Disclosure title="Everything sent">
            <JsonText value={snapshot.hostContext} name="Host context" />
          </Disclosure>
        </Section>
        {snapshot.resource && <Resource resource={snapshot.resource} />}
        <Frame snapshot={snapshot} />
      </>
    ) : (
      <>
        <p className="panel-empty">No app is shown. Run a tool that has one.</p>
        {server && <CapabilityLists server={server} />}
      </>
    )}
  </div>
);
