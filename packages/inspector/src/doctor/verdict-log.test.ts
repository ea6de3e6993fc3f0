import { createRecording, isRecord } from '@casement/protocol/start';
import { describe, expect, it } from 'vitest';
import { toReport } from './report.test-support.js';
import { createVerdictLog } from './verdict-log.js';

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
    log.follow('s', 1, first);
    log.follow('s', 1, first);
    const doubt = { verdict: 'doubtful', witness: 'app', seen: 'An error.', cause: 'c', fix: 'f' } as const;
    log.follow(
      's',
      1,
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
    log.follow('a', 0, toReport());
    log.follow('b', 0, toReport());
    expect(said()).toHaveLength(16);
  });

  it('ends after a hundred entries of a session that goes to and fro', () => {
    const { log, said } = open();
    for (let index = 0; index < 1_000; index++)
      log.follow('s', 0, toReport({ painted: { verdict: index % 2 ? 'failed' : 'passed' } }));
    expect(said()).toHaveLength(100);
  });
});
