import { describe, expect, test } from 'vitest';
import { diagnoseApp } from './diagnose-app.js';
import {
  address,
  healthyApp,
  startedAt,
  toEvidence,
  toFacts,
  toSilentFacts,
  timesUntil,
} from './doctor.test-support.js';
import type { DoctorFacts } from './doctor-facts.js';
import type { DoctorStage, StageReport } from './report.js';

const stageOf = (facts: DoctorFacts, stage: DoctorStage): StageReport => {
  const report = diagnoseApp(facts).stages.find((one) => one.stage === stage);
  if (!report) throw new Error(`the report has no stage ${stage}`);
  return report;
};

const verdicts = (facts: DoctorFacts): string[] => diagnoseApp(facts).stages.map(({ verdict }) => verdict);

describe('an app with which all is well', () => {
  test('passes all eight stages, with their times, and has no finding', () => {
    const report = diagnoseApp(toFacts());
    expect(report.failed).toBeUndefined();
    expect(report.findings).toEqual([]);
    expect(report.stages.map(({ stage, verdict, ms }) => [stage, verdict, ms])).toEqual([
      ['found', 'passed', 0],
      ['advertised', 'passed', undefined],
      ['read', 'passed', 100],
      ['framed', 'passed', 200],
      ['loaded', 'passed', 300],
      ['handshake', 'passed', 500],
      ['fed', 'passed', 700],
      ['painted', 'passed', 650],
    ]);
  });

  test('is painted by nobody’s word where its frame was not looked into', () => {
    const { evidence, ...unseen } = healthyApp;
    expect(evidence).toBeDefined();
    expect(stageOf({ app: unseen }, 'painted').verdict).toBe('unknown');
    const errorsOnly = { mode: 'errors', items: [{ at: startedAt, kind: 'painted' }], left: 0 } as const;
    expect(stageOf(toFacts({ evidence: errorsOnly }), 'painted').verdict).toBe('unknown');
  });
});

describe('the way of an app', () => {
  test.each([
    ['idle', ['passed', 'passed', 'open', 'open', 'open', 'open', 'open', 'open']],
    ['loading', ['passed', 'passed', 'waiting', 'open', 'open', 'open', 'open', 'open']],
    ['sandbox', ['passed', 'passed', 'passed', 'waiting', 'open', 'open', 'open', 'open']],
    ['handshake', ['passed', 'passed', 'passed', 'passed', 'passed', 'waiting', 'open', 'open']],
    ['ready', ['passed', 'passed', 'passed', 'passed', 'passed', 'passed', 'passed', 'passed']],
  ] as const)('is told as far as it is: %s', (status, expected) => {
    expect(verdicts(toFacts({ status }))).toEqual(expected);
  });

  test('waits for the document while nothing of it has come', () => {
    const facts = toSilentFacts({
      times: { started: startedAt, read: startedAt + 1, framed: startedAt + 2 },
    });
    expect(stageOf(facts, 'loaded').verdict).toBe('waiting');
    expect(stageOf(facts, 'handshake').verdict).toBe('open');
  });

  test('stops at the first stage that failed, with the words of the host', () => {
    const failure = {
      step: 'resource',
      code: 'resource-missing',
      message: 'seen',
      hint: 'Did you mean ui://any/app.html?',
    } as const;
    const report = diagnoseApp(toFacts({ status: 'failed', failure }));
    expect(report.failed).toBe('read');
    const read = report.stages[2];
    expect(read).toMatchObject({ verdict: 'failed', seen: 'seen', fix: 'Did you mean ui://any/app.html?' });
    expect(read?.cause).toMatch(/names a resource that the server does not have/);
    expect(report.stages.slice(3).every(({ verdict }) => verdict === 'open')).toBe(true);
  });

  test('fails at the first stage for an address that no host reads', () => {
    const tool = { name: 'a', _meta: { ui: { resourceUri: 'ui:/any/app.html' } } };
    const report = diagnoseApp({ tool });
    expect(report.failed).toBe('found');
    expect(report.stages[0]?.seen).toContain('it does not start with ui://: "ui:/any/app.html"');
    expect(report.stages[0]?.fix).toContain('Write "ui://any/app.html"');
  });

  test('has no failure for a tool without an app', () => {
    const report = diagnoseApp({ tool: { name: 'a' } });
    expect(report.failed).toBeUndefined();
    expect(report.stages[0]?.verdict).toBe('open');
  });

  test('tells of a server that was not told of apps, and of one without resources', () => {
    const untold = toFacts({}, { server: { advertised: false } });
    expect(stageOf(untold, 'advertised')).toMatchObject({ verdict: 'doubtful' });
    const bare = toFacts({}, { server: { advertised: true, capabilities: { tools: {} } } });
    expect(stageOf(bare, 'advertised').fix).toContain('"resources": {}');
  });
});

describe('a script error before the handshake', () => {
  const scriptErrors = [{ message: 'L is not defined', line: 12, column: 3 }];

  test('makes the document doubtful at once, and the app can still go on', () => {
    const loaded = stageOf(toSilentFacts({ scriptErrors }), 'loaded');
    expect(loaded.verdict).toBe('doubtful');
    expect(loaded.witness).toBe('app');
    expect(loaded.seen).toContain('L is not defined (a script in the app’s HTML:12:3)');
    expect(loaded.fix).toContain('if the app sends ui/initialize after all, it runs');
    expect(diagnoseApp(toSilentFacts({ scriptErrors })).failed).toBeUndefined();
  });

  test('does so while the document still loads, too', () => {
    const facts = toSilentFacts({ scriptErrors, times: timesUntil('framed') });
    expect(stageOf(facts, 'loaded')).toMatchObject({ verdict: 'doubtful', witness: 'app' });
  });

  test('is a finding only, once the app has greeted', () => {
    expect(stageOf(toFacts({ scriptErrors }), 'loaded').verdict).toBe('passed');
    const [finding] = diagnoseApp(toFacts({ scriptErrors })).findings;
    expect(finding).toMatchObject({
      code: 'script-error',
      witness: 'app',
      path: 'a script in the app’s HTML:12:3',
    });
  });
});

describe('an app that draws nothing', () => {
  const nothing = (ms: number) =>
    toEvidence({
      at: startedAt + ms,
      kind: 'layout',
      width: 600,
      contentWidth: 600,
      contentHeight: 0,
      boxes: 0,
    });

  test('is waited for, until it has had the time', () => {
    expect(stageOf(toFacts({ evidence: nothing(900) }), 'painted').verdict).toBe('waiting');
  });

  test('is called empty then, and blamed on the library that did not come', () => {
    const { items } = nothing(2_500);
    const lib = { url: 'https://unpkg.com/map.js', element: 'script' } as const;
    const evidence = toEvidence({ at: startedAt + 400, kind: 'load-failed', ...lib }, ...items);
    const report = diagnoseApp(toFacts({ evidence }));
    expect(report.failed).toBe('painted');
    expect(report.stages[7]?.cause).toContain('https://unpkg.com/map.js');
    expect(report.stages[4]).toMatchObject({ verdict: 'doubtful', witness: 'app' });
    expect(report.findings.map(({ code }) => code)).toEqual(['load-failed', 'empty-app']);
  });

  test('is blamed on a script rather than on the style sheet that was missed before it', () => {
    const { items } = nothing(2_500);
    const style = { url: 'https://unpkg.com/map.css', element: 'link' } as const;
    const script = { url: 'https://unpkg.com/map.js', element: 'script' } as const;
    const evidence = toEvidence(
      { at: startedAt + 300, kind: 'load-failed', ...style },
      { at: startedAt + 400, kind: 'load-failed', ...script },
      ...items,
    );
    expect(diagnoseApp(toFacts({ evidence })).stages[7]?.cause).toContain(script.url);
  });
});

describe('what an app says of itself', () => {
  test('changes no stage that the host saw, and takes no finding away', () => {
    const finding = { code: 'domain-dropped', message: 'm', fix: 'f', path: 'p' };
    const forged = toEvidence(
      ...Array.from({ length: 300 }, (_, index) => ({
        at: startedAt,
        kind: 'load-failed' as const,
        url: `https://forged.example/${index}.js`,
        element: 'script',
      })),
      ...Array.from({ length: 300 }, (_, index) => ({
        at: startedAt,
        kind: 'api' as const,
        api: 'alert' as const,
        outcome: 'used' as const,
        line: index + 1,
      })),
    );
    const reports = [
      { appOrigin: address.appOrigin, directive: 'connect-src', blockedUri: 'https://api.example.com/x' },
    ];
    const { stages, findings } = diagnoseApp(toFacts({ findings: [finding], evidence: forged }, { reports }));
    const byHost = stages.filter(({ witness }) => witness === 'host');
    expect(byHost.map(({ stage }) => stage)).toEqual(
      expect.arrayContaining(['found', 'read', 'framed', 'handshake', 'fed']),
    );
    expect(byHost.every(({ verdict }) => verdict === 'passed')).toBe(true);
    expect(findings.map(({ code }) => code)).toContain('domain-dropped');
    expect(findings.map(({ witness }) => witness)).toContain('browser');
    expect(findings.length).toBeLessThan(60);
  });

  test('hides no report of the browser, be it by words about another address or by reports of another app', () => {
    const blockedUri = 'https://undeclared.example/x.js';
    const finding = {
      code: 'asset-blocked',
      message: `The policy blocked https://forged.example/?${blockedUri} (script-src), so the app may show nothing.`,
      fix: 'f',
      path: 'p',
    };
    const others = Array.from({ length: 5_000 }, (_, index) => ({
      appOrigin: 'http://other.localhost:6271',
      directive: 'img-src',
      blockedUri: `https://other.example/${index}`,
    }));
    const own = { appOrigin: address.appOrigin, directive: 'script-src-elem', blockedUri };
    const { findings } = diagnoseApp(toFacts({ findings: [finding] }, { reports: [...others, own] }));
    expect(findings).toContainEqual(
      expect.objectContaining({
        witness: 'browser',
        message: expect.stringContaining(`blocked ${blockedUri} `),
      }),
    );
    expect(JSON.stringify(findings)).not.toContain('other.example');
  });
});
