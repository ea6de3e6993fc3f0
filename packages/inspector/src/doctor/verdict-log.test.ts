import type { MetadataFinding } from '@casement/protocol';
import { createRecording, isRecord } from '@casement/protocol/start';
import { describe, expect, it } from 'vitest';
import { toReport } from './report.test-support.js';
import { createVerdictLog } from './verdict-log.js';

const app = (session: string, epoch = 0, findings: MetadataFinding[] = []) => ({ session, epoch, findings });

const open = () => {
  const recording = createRecording({ writer: 'page' });
  const said = () =>
    recording
      .entries()
      .map(({ raw }) => (isRecord(raw) ? `${String(raw.stage)} ${String(raw.verdict)}` : ''));
  return { recording, log: createVerdictLog(recording), said };
};

describe('what the doctor writes into the recording', () => {
  it('is a verdict that changed, once, with what was seen, cause and fix', () => {
    const { recording, log, said } = open();
    const open8 = { verdict: 'open' } as const;
    const first = toReport({ handshake: { verdict: 'waiting' }, fed: open8, painted: open8 });
    log.follow(app('s', 1), first);
    log.follow(app('s', 1), first);
    const doubt = { verdict: 'doubtful', witness: 'app', seen: 'An error.', cause: 'c', fix: 'f' } as const;
    log.follow(
      app('s', 1),
      toReport({ loaded: doubt, handshake: { verdict: 'waiting' }, fed: open8, painted: open8 }),
    );
    expect(said()).toEqual([
      'found passed',
      'advertised passed',
      'read passed',
      'framed passed',
      'loaded passed',
      'loaded doubtful',
    ]);
    expect(recording.entries().at(-1)).toMatchObject({
      session: 's',
      epoch: 1,
      kind: 'lifecycle',
      leg: 'none',
      raw: { type: 'doctor', ...doubt },
    });
  });

  it('is told of each session by itself', () => {
    const { log, said } = open();
    log.follow(app('a'), toReport());
    log.follow(app('b'), toReport());
    expect(said()).toHaveLength(16);
  });

  it('ends after a hundred entries of a session that goes to and fro', () => {
    const { log, said } = open();
    for (let index = 0; index < 1_000; index++)
      log.follow(app('s'), toReport({ painted: { verdict: index % 2 ? 'failed' : 'passed' } }));
    expect(said()).toHaveLength(100);
  });

  it('is a finding when it is told first, with cause, fix and place, unless the host wrote it', () => {
    const { recording, log } = open();
    const place = { stage: 'painted', severity: 'warning', witness: 'app' } as const;
    const finding = { ...place, code: 'too-wide', message: 'm', fix: 'f', path: 'p' };
    const ofHost = { code: 'size-loop', message: 'h', fix: 'f', path: 'q' };
    // The host says the place of an error in other words.
    const error = { ...ofHost, code: 'script-error', message: 'An error (a.js:1)' };
    const told = toReport({}, [
      finding,
      { ...finding, ...ofHost, witness: 'host' },
      { ...finding, ...error, message: 'An error (the app’s HTML:1:49)' },
    ]);
    log.follow(app('s', 1, [ofHost, error]), told);
    log.follow(app('s', 1, [ofHost, error]), told);
    const entries = recording.entries().filter(({ kind }) => kind === 'finding');
    expect(entries).toMatchObject([
      { session: 's', epoch: 1, leg: 'none', raw: { type: 'doctor', ...finding } },
    ]);
  });

  it('ends after a hundred findings of a session', () => {
    const { recording, log } = open();
    for (let index = 0; index < 300; index++)
      log.follow(
        app('s'),
        toReport({}, [
          { ...{ code: 'x', stage: 'fed', severity: 'note', witness: 'app' }, message: `${index}`, fix: 'f' },
        ]),
      );
    expect(recording.entries().filter(({ kind }) => kind === 'finding')).toHaveLength(100);
  });

  it('keeps room for what the host sees after an app has gone to and fro and on and on', () => {
    const { recording, log, said } = open();
    const told = { stage: 'painted', severity: 'warning', witness: 'app', code: 'too-wide' } as const;
    for (let index = 0; index < 500; index++) {
      const painted = { verdict: index % 2 ? 'failed' : 'passed', witness: 'app' } as const;
      log.follow(app('s'), toReport({ painted }, [{ ...told, message: `${index}`, fix: 'f' }]));
    }
    const seen = { code: 'output-schema-unmet', message: 'm', fix: 'f', witness: 'host' } as const;
    log.follow(
      app('s'),
      toReport({ handshake: { verdict: 'failed' } }, [{ ...told, ...seen, stage: 'fed' }]),
    );
    expect(said()).toContain('handshake failed');
    expect(recording.entries().at(-1)?.raw).toMatchObject(seen);
  });
});
