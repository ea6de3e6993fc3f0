import type { AppEvidence } from '@casement/protocol';
import { describe, expect, test } from 'vitest';
import { diagnoseApp } from './diagnose-app.js';
import { address, healthyApp, startedAt, toEvidence, toFacts, toSilentFacts } from './doctor.test-support.js';
import type { AppFacts, DoctorFacts } from './doctor-facts.js';
import type { DoctorFinding } from './report.js';

const one = (facts: DoctorFacts): DoctorFinding => {
  const [finding, ...others] = diagnoseApp(facts).findings;
  expect(others).toEqual([]);
  if (!finding) throw new Error('nothing was found');
  return finding;
};

const none = (facts: DoctorFacts): void => expect(diagnoseApp(facts).findings).toEqual([]);

type Use = Omit<Extract<AppEvidence, { kind: 'api' }>, 'at' | 'kind' | 'outcome'>;

const using = (
  use: Use,
  more: Partial<Extract<AppEvidence, { kind: 'api' }>> = {},
  app: Partial<AppFacts> = {},
) =>
  toFacts({
    ...app,
    evidence: toEvidence({ at: startedAt + 2_000, kind: 'api', outcome: 'used', ...use, ...more }),
  });

describe('storage', () => {
  test('used at start names the hosts where it breaks, and what to do', () => {
    const finding = one(using({ api: 'localStorage', line: 7, column: 9 }, { at: startedAt + 350 }));
    expect(finding).toMatchObject({
      code: 'storage-at-start',
      severity: 'warning',
      witness: 'app',
      path: 'a script in the app’s HTML:7:9',
    });
    expect(finding.message).toContain('localStorage while it starts');
    expect(finding.message).toContain('KiroCrew, PostHog Code');
    expect(finding.fix).toMatch(/try \{ … \} catch/);
    expect(finding.fix).toContain('ui/update-model-context');
  });

  test('used later is a note', () => {
    expect(one(using({ api: 'indexedDB' }))).toMatchObject({ code: 'storage-used', severity: 'note' });
  });

  test('refused without a guard is an error, and with one nothing', () => {
    const refused = { outcome: 'refused', unguarded: true } as const;
    expect(one(using({ api: 'localStorage' }, refused)).code).toBe('storage-unguarded');
    none(using({ api: 'localStorage' }, { outcome: 'refused' }));
  });
});

describe('what hosts do for an app', () => {
  test.each([
    ['alert', 'ui/message'],
    ['confirm', '<dialog>'],
    ['prompt', '<dialog>'],
    ['open', 'ui/open-link'],
    ['print', 'ui/download-file'],
    ['picture-in-picture', 'ui/request-display-mode'],
    ['fullscreen', 'ui/request-display-mode'],
    ['notifications', 'ui/message'],
    ['service-worker', 'Leave it out'],
    ['screen-capture', '<input type="file">'],
  ] as const)('%s: the fix names %s', (api, fix) => {
    expect(one(using({ api })).fix).toContain(fix);
  });
});

describe('a permission that is used', () => {
  test.each([
    ['camera-microphone', '"camera": {}, "microphone": {}'],
    ['geolocation', '"geolocation": {}'],
    ['clipboard', '"clipboardWrite": {}'],
  ] as const)('%s without being declared leads to the line', (api, line) => {
    const finding = one(using({ api }, { outcome: 'refused' }));
    expect(finding.code).toBe('permission-undeclared');
    expect(finding.fix).toContain(`"_meta": { "ui": { "permissions": { ${line} } } }`);
  });

  test('and declared is no finding; not given here, it is a note', () => {
    const resource = { uri: 'ui://any/app.html', bytes: 1, permissions: ['camera'] as const };
    none(using({ api: 'camera-microphone' }, {}, { resource }));
    const refused = one(using({ api: 'camera-microphone' }, { outcome: 'refused' }, { resource }));
    expect(refused).toMatchObject({ code: 'permission-not-given', severity: 'note' });
  });
});

describe('a load that failed', () => {
  const failed = (more: object) =>
    toFacts({
      evidence: toEvidence({
        at: startedAt + 350,
        kind: 'load-failed',
        url: 'https://unpkg.com/map.js',
        element: 'script',
        ...more,
      }),
    });

  test('is told with its address, its element and its status', () => {
    const finding = one(failed({ status: 404 }));
    expect(finding).toMatchObject({
      code: 'load-failed',
      severity: 'error',
      path: 'https://unpkg.com/map.js',
    });
    expect(finding.message).toBe(
      'The script https://unpkg.com/map.js (<script>) did not load: its server answered 404.',
    );
    expect(finding.fix).toContain('Correct the address or put the file there');
  });

  test('is told without a status where the browser keeps it back', () => {
    const finding = one(failed({ element: 'img', url: 'https://a.example/p.png' }));
    expect(finding.severity).toBe('warning');
    expect(finding.message).toContain(
      'The picture https://a.example/p.png (<img>) did not load: the browser does not say why.',
    );
  });

  test('of a signed-in server says so', () => {
    expect(one(failed({ status: 403 })).fix).toContain('readable without signing in');
  });

  test.each([
    `${address.appOrigin}/assets/index-D3x.js`,
    `${address.proxyOrigin}/assets/index-D3x.js`,
    'about:srcdoc/assets/index-D3x.js',
    '/assets/index-D3x.js',
  ])('with a relative address says that there is nothing to resolve it: %s', (url) => {
    const finding = one(failed({ url }));
    expect(finding).toMatchObject({ code: 'relative-address', path: '/assets/index-D3x.js' });
    expect(finding.fix).toContain('vite-plugin-singlefile');
  });

  test('is not told a second time when the policy or the document tells it', () => {
    const url = 'https://cdn.example.com/lib.js';
    const facts = failed({ url });
    const violations = [{ directive: 'script-src-elem', blockedUri: url }];
    expect(one({ ...facts, app: { ...healthyApp, ...facts.app, violations } }).code).toBe('load-blocked');
    const relative = failed({ url: '/app.js' });
    const lint: DoctorFinding[] = [
      {
        code: 'relative-address',
        stage: 'loaded',
        severity: 'error',
        witness: 'host',
        message: 'm',
        fix: 'f',
        path: '/app.js',
      },
    ];
    expect(one({ ...relative, lint }).code).toBe('relative-address');
  });

  test('with an address that would confuse a reader is written out', () => {
    expect(one(failed({ url: 'https://a.example/\u202egpj.exe' })).message).toContain('\\u{202e}');
  });
});

describe('a load that the policy blocked', () => {
  const blocked = { directive: 'connect-src', blockedUri: 'https://api.example.com/v1' };

  test('leads to the exact line', () => {
    const finding = one(toFacts({ violations: [blocked] }));
    expect(finding).toMatchObject({
      code: 'load-blocked',
      witness: 'app',
      path: '_meta.ui.csp.connectDomains',
    });
    expect(finding.fix).toContain('"connectDomains": ["https://api.example.com"]');
  });

  test('is the browser’s word where the browser reported it, and of this app alone', () => {
    const reports = [
      { ...blocked, appOrigin: address.appOrigin },
      { directive: 'connect-src', blockedUri: 'https://other.example/', appOrigin: 'http://def.localhost' },
    ];
    expect(one(toFacts({ violations: [blocked] }, { reports })).witness).toBe('browser');
  });

  test('as eval is one only when an error came of it', () => {
    const violations = [{ directive: 'script-src', blockedUri: 'eval' }];
    none(toFacts({ violations }));
    const scriptErrors = [{ message: 'EvalError: call to eval() blocked' }];
    const { findings } = diagnoseApp(toFacts({ status: 'handshake', violations, scriptErrors }));
    expect(findings.map(({ code }) => code)).toContain('eval-blocked');
  });

  test('in an app of an older family is told by the host, who knows where that declares', () => {
    const url = 'https://cdn.example.com/a.js';
    const told = {
      code: 'asset-blocked',
      message: `The policy blocked ${url} (script-src-elem), so`,
      fix: 'f',
      path: 'p',
    };
    const violations = [{ directive: 'script-src-elem', blockedUri: url }];
    expect(one(toFacts({ violations, findings: [told] })).code).toBe('asset-blocked');
  });
});

describe('what the host found', () => {
  test('keeps its words, with the stage it belongs to', () => {
    const finding = { code: 'size-loop', message: 'm', fix: 'f', path: 'p' };
    expect(one(toFacts({ findings: [finding] }))).toEqual({
      ...finding,
      stage: 'painted',
      severity: 'warning',
      witness: 'host',
    });
  });

  test('about a tool that is not there, with the name that was meant', () => {
    const message = 'This app\'s server lists no tool named "get-tme".';
    const finding = {
      code: 'tool-not-found',
      message,
      fix: 'Call a tool that is there.',
      path: 'tools/call',
    };
    const server = { tools: [{ name: 'get-time' }, { name: 'set-alarm' }, null] };
    expect(one(toFacts({ findings: [finding] }, { server })).fix).toContain('Did you mean "get-time"?');
  });
});

describe('the look of an app', () => {
  const layout = (more: object) =>
    toFacts({
      evidence: toEvidence(
        { at: startedAt + 600, kind: 'painted' },
        {
          ...{ at: startedAt + 3_000, kind: 'layout', width: 320 },
          ...{ contentWidth: 320, contentHeight: 200, boxes: 3 },
          ...more,
        },
      ),
    });

  test('is too wide for its frame, with both widths', () => {
    const finding = one(layout({ contentWidth: 480 }));
    expect(finding.code).toBe('too-wide');
    expect(finding.message).toContain('480 px wide in a frame of 320 px');
    expect(finding.fix).toContain('max-width: 100%');
    none(layout({ contentWidth: 321 }));
  });

  test('is empty', () => {
    expect(one(layout({ boxes: 0 })).code).toBe('empty-app');
  });

  test('is empty by the clock of who asks, too', () => {
    const facts = layout({ boxes: 0, at: startedAt + 800 });
    none(facts);
    expect(one({ ...facts, at: startedAt + 5_000 }).code).toBe('empty-app');
  });

  test('may be empty while the result is under way', () => {
    const { app } = layout({ boxes: 0 });
    const { result, ...times } = app?.times ?? {};
    expect(result).toBeDefined();
    none(toFacts({ ...app, times }, { at: startedAt + 60_000 }));
  });
});

describe('language and direction of a document', () => {
  const written = (lang: string, dir: 'ltr' | 'rtl', locale = 'en-GB', more: Partial<AppFacts> = {}) =>
    toFacts({
      hostContext: { locale },
      ...more,
      evidence: toEvidence(
        { at: startedAt + 600, kind: 'painted' },
        {
          ...{ at: startedAt + 3_000, kind: 'layout', width: 320 },
          ...{ contentWidth: 320, contentHeight: 200, boxes: 3, lang, dir },
        },
      ),
    });

  test.each([
    ['en', 'ltr', 'en-GB'],
    // In one language alone, and well so.
    ['en', 'ltr', 'de-DE'],
    ['ar', 'rtl', 'en-GB'],
    ['ar-EG', 'rtl', 'ar-EG'],
    ['pa-PK', 'rtl', 'pa-PK'],
    ['az-Latn', 'ltr', 'az-Latn'],
    // A name nobody knows says nothing.
    ['x', 'ltr', 'de-DE'],
  ] as const)('%s, written %s, with the locale %s is no finding', (lang, dir, locale) =>
    none(written(lang, dir, locale)),
  );

  test('a document that names none is a note with the line', () => {
    const finding = one(written('', 'ltr', 'de-DE'));
    expect(finding).toMatchObject({ code: 'language-unsaid', severity: 'note', witness: 'app' });
    expect(finding.message).toContain('the locale de-DE');
    expect(finding.fix).toContain('document.documentElement.lang = hostContext.locale');
  });

  test('a document against its own language is told with the tag', () => {
    for (const locale of ['en-GB', 'he-IL']) {
      const finding = one(written('he', 'ltr', locale));
      expect(finding).toMatchObject({ code: 'direction-unlike-language', severity: 'warning' });
      expect(finding.fix).toContain('<html lang="he" dir="rtl">');
    }
    expect(one(written('en', 'rtl')).fix).toContain('<html lang="en" dir="ltr">');
  });

  test('a document that does not follow a locale from right to left is told with both lines', () => {
    const { findings } = diagnoseApp(written('', 'ltr', 'ar-EG'));
    expect(findings.map(({ code, severity }) => `${code} ${severity}`)).toEqual([
      'direction-unlike-locale warning',
      'language-unsaid note',
    ]);
    expect(findings[0]?.fix).toContain('document.documentElement.dir = "rtl"');
    const own = one(written('en', 'ltr', 'ar-EG'));
    expect(own).toMatchObject({ code: 'direction-unlike-locale', severity: 'note' });
    expect(own.fix).toContain('If the app is in that language alone, all is well.');
  });

  test('nothing is said without a locale, and before the app had the time to follow', () => {
    none(written('', 'ltr', ''));
    none(toFacts({ hostContext: { locale: 'ar-EG' } }));
    const times = { started: startedAt, ready: startedAt + 2_500 };
    none(written('', 'ltr', 'ar-EG', { times }));
    expect(
      diagnoseApp({ ...written('', 'ltr', 'ar-EG', { times }), at: startedAt + 4_000 }).findings,
    ).toHaveLength(2);
  });
});

describe('a finding that has a place', () => {
  const place = { sourceFile: 'https://a.example/app.js', line: 3, column: 7 };

  test.each([
    ['an API', using({ api: 'alert', ...place })],
    [
      'a blocked load',
      toFacts({ violations: [{ directive: 'img-src', blockedUri: 'https://b.example/', ...place }] }),
    ],
    [
      'a load that failed',
      toFacts({
        evidence: toEvidence({
          ...{ at: startedAt, kind: 'load-failed', url: 'https://b.example/a.js', element: 'script' },
          ...place,
        }),
      }),
    ],
  ])('%s leads to the source', (_, facts) => {
    expect(one(facts).place).toEqual(place);
  });

  test('an error leads there by its place, or by its stack', () => {
    const stack = 'Error: x\n    at https://a.example/app.js:3:7';
    const facts = toFacts({ scriptErrors: [{ message: 'x', ...place, stack }] });
    expect(one(facts).place).toEqual({ message: 'x', ...place, stack });
    expect(one(toFacts({ scriptErrors: [{ message: 'x', stack }] })).place).toEqual({ message: 'x', stack });
    expect(one(toFacts({ scriptErrors: [{ message: 'x', line: 0 }] }))).not.toHaveProperty('place');
    const { stages } = diagnoseApp(toSilentFacts({ scriptErrors: [{ message: 'x', ...place }] }));
    expect(stages.find(({ stage }) => stage === 'loaded')?.place).toEqual({ message: 'x', ...place });
  });
});
