import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCommandLine, toCommandLine } from './command-line.js';

const read = (line: string) => {
  const { program, args } = parseCommandLine(line);
  return [program, ...args];
};

describe('a command as it was typed', () => {
  test('is taken apart at blanks, with quotes and backslashes as in a terminal', () => {
    expect(read(`npx -y  "@scope/my server" --path 'a "b"' c\\ d "e\\"f"`)).toEqual([
      'npx',
      '-y',
      '@scope/my server',
      '--path',
      'a "b"',
      'c d',
      'e"f',
    ]);
    expect(read(`node '' x''y`)).toEqual(['node', '', 'xy']);
    expect(read('node \\\n  server.js \\\r\n --port 1')).toEqual(['node', 'server.js', '--port', '1']);
  });

  test('keeps the backslashes of a path of Windows', () => {
    expect(read('C:\\tools\\node.exe "D:\\my files\\server.js"')).toEqual([
      'C:\\tools\\node.exe',
      'D:\\my files\\server.js',
    ]);
  });

  test('sets the variables that stand in front, and only those that were meant so', () => {
    const { variables, program, args } = parseCommandLine('A=1 KEY="a b" node A=2');
    expect(variables).toEqual([
      { name: 'A', text: '1' },
      { name: 'KEY', text: 'a b' },
    ]);
    expect([program, args]).toEqual(['node', ['A=2']]);
    expect(parseCommandLine(`'A=1' x`)).toMatchObject({ variables: [], program: 'A=1' });
  });

  test('expands nothing and says so', () => {
    const { args, notes } = parseCommandLine('node $HOME/a.js $(reboot) && rm -rf /');
    expect(args).toEqual(['$HOME/a.js', '$(reboot)', '&&', 'rm', '-rf', '/']);
    expect(notes).toHaveLength(2);
    expect(notes.join()).toMatch(/no shell: && .*\$NAME and \$\(…\) are not replaced/);
    expect(parseCommandLine(`node 'a && b' --url http://x/?a=1&b=2 \${env:A}`).notes).toEqual([]);
  });

  test('says why it cannot be taken apart', () => {
    expect(parseCommandLine('node "a').problem).toMatch(/double quote is opened/);
    expect(parseCommandLine("node 'a").problem).toMatch(/single quote is opened/);
    expect(parseCommandLine('A=1').problem).toBe('No program is named.');
    expect(parseCommandLine('  ')).toEqual({ variables: [], program: '', args: [], notes: [] });
  });

  test('comes back from its parts as the same parts, whatever they are', () => {
    const sign = fc.constantFrom(...` \t\n"'\\=$(){}|&;<>aZ_-/.@é\u202e\u{1f600}`);
    const word = fc.string({
      unit: fc.oneof(sign, fc.string({ unit: 'binary-ascii', maxLength: 1 })),
      maxLength: 12,
    });
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 4 }), (program, args) => {
        const again = parseCommandLine(toCommandLine(program, args));
        expect(again).toMatchObject({ variables: [], program, args });
        expect(again.problem).toBeUndefined();
      }),
    );
  });
});
