import { describe, expect, test } from 'vitest';
import { parseCommandLine } from './parse-command-line.js';

describe('the command line', () => {
  test('without words asks for the example, in a browser', () => {
    expect(parseCommandLine([])).toEqual({ kind: 'serve', open: true, json: false });
  });

  test('reads options in both spellings', () => {
    const expected = { kind: 'serve', open: false, json: true, port: 0, config: 'mcp.json' };
    expect(parseCommandLine(['--config', 'mcp.json', '--port=0', '--no-open', '--json'])).toEqual(expected);
    expect(parseCommandLine(['--json', '--config=mcp.json', '--no-open', '--port', '0'])).toEqual(expected);
  });

  test('takes a tool to run at once, with its arguments', () => {
    expect(
      parseCommandLine(['--run', 'get-time', '--args={"zone":"UTC"}', 'node', 'server.js']),
    ).toMatchObject({
      run: 'get-time',
      args: '{"zone":"UTC"}',
      server: { kind: 'command', command: 'node' },
    });
    for (const args of ['[1]', 'null', '{', '7'])
      expect(() => parseCommandLine(['--args', args]), args).toThrow('--args takes a JSON object');
  });

  test('takes a model to talk to, and where it is', () => {
    const expected = { kind: 'serve', modelUrl: 'http://localhost:11434/v1', model: 'qwen3:8b' };
    expect(
      parseCommandLine(['--model-url', 'http://localhost:11434/v1', '--model', 'qwen3:8b']),
    ).toMatchObject(expected);
    expect(
      parseCommandLine(['--model=qwen3:8b', '--model-url=http://localhost:11434/v1', 'node', '--model', 'x']),
    ).toMatchObject({ ...expected, server: { command: 'node', args: ['--model', 'x'] } });
  });

  test('watches, and takes paths only behind an equals sign', () => {
    expect(parseCommandLine(['--watch', 'node', 'server.js', '--watch'])).toMatchObject({
      watch: [],
      server: { command: 'node', args: ['server.js', '--watch'] },
    });
    expect(parseCommandLine(['--watch=src', '--watch=app.html', 'http://localhost:3001/mcp'])).toMatchObject({
      watch: ['src', 'app.html'],
    });
  });

  test('leaves everything after the first word of a command to the command', () => {
    expect(
      parseCommandLine(['--port', '0', 'node', 'server.js', '--port', '9', '--json', '--', 'x']),
    ).toEqual({
      kind: 'serve',
      open: true,
      json: false,
      port: 0,
      server: { kind: 'command', command: 'node', args: ['server.js', '--port', '9', '--json', '--', 'x'] },
    });
  });

  test('takes a command that begins with a dash after --', () => {
    expect(parseCommandLine(['--json', '--', '--odd', '--help'])).toMatchObject({
      json: true,
      server: { kind: 'command', command: '--odd', args: ['--help'] },
    });
  });

  test('takes its own options after an address, which cannot have any', () => {
    expect(parseCommandLine(['https://host.example/mcp', '--no-open', '--port', '7000'])).toMatchObject({
      open: false,
      port: 7000,
      server: { kind: 'url', url: 'https://host.example/mcp' },
    });
  });

  test('answers --help and --version wherever they stand before the command', () => {
    expect(parseCommandLine(['--json', '--help'])).toEqual({ kind: 'help' });
    expect(parseCommandLine(['-v'])).toEqual({ kind: 'version' });
  });

  test('takes forget for its own word only where it stands first', () => {
    expect(parseCommandLine(['forget', '--list'])).toEqual({ kind: 'forget', list: true, yes: false });
    expect(parseCommandLine(['forget', '--yes'])).toEqual({ kind: 'forget', list: false, yes: true });
    expect(parseCommandLine(['--', 'forget'])).toMatchObject({ server: { command: 'forget', args: [] } });
    expect(parseCommandLine(['node', 'forget'])).toMatchObject({ server: { command: 'node' } });
  });

  test.each([
    [['--nope'], /no option --nope/],
    [['--json=yes'], /--json takes no value/],
    [['--port'], /--port needs a value/],
    [['--port', '65535'], /0 to 65534/],
    [['--port', '-1'], /0 to 65534/],
    [['--port', '1e3'], /0 to 65534/],
    [['--watch='], /--watch= needs a path/],
    [['--config='], /--config needs a value/],
    [['--trust-config'], /--trust-config is about a file/],
    [['--trust-config=a.json', '--config', 'a.json'], /--trust-config takes no value/],
    [['forget', 'everything'], /"casement forget" takes --list or --yes/],
    [['--model'], /--model needs a value/],
    [['--model-url', 'localhost:11434'], /--model-url takes a complete address/],
    [['--model-url', 'https://'], /--model-url takes a complete address/],
    [['--'], /a command is expected/],
    [['https://a.example/', 'node'], /belongs to nothing/],
    [['https://a.example/', 'https://b.example/'], /one server/],
    [['https://'], /not a complete address/],
    [['node', 'a\0b'], /NUL/],
  ])('refuses %j in a sentence', (argv, sentence) => {
    expect(() => parseCommandLine(argv)).toThrow(
      expect.objectContaining({ code: 'bad-flag', message: expect.stringMatching(sentence) }),
    );
  });
});
