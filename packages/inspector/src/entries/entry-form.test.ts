import type { EntryView } from '@casement/gateway';
import { describe, expect, test } from 'vitest';
import type { AddressForm, CommandForm, ValueRow } from './entry-form.js';
import { readForm, toForm } from './entry-form.js';

const row = (patch: Partial<ValueRow>): ValueRow => ({
  id: 0,
  name: '',
  text: '',
  isSecret: false,
  isStored: false,
  ...patch,
});
const command = (patch: Partial<CommandForm>): CommandForm => ({
  kind: 'stdio',
  name: '',
  line: 'node a.js',
  cwd: '',
  values: [],
  ...patch,
});
const address = (patch: Partial<AddressForm>): AddressForm => ({
  kind: 'http',
  name: '',
  url: 'https://x.example/mcp',
  transport: 'auto',
  bearer: '',
  values: [],
  ...patch,
});
const base: Pick<EntryView, 'source' | 'enabled' | 'confirmed' | 'hash' | 'inputs' | 'reads'> = {
  source: 'kept',
  enabled: true,
  confirmed: true,
  hash: 'h',
  inputs: [],
  reads: [],
};

describe('a typed command', () => {
  test('becomes program, arguments, folder and variables', () => {
    const form = command({
      line: `MODE=fast npx -y "@me/my server" --x`,
      cwd: ' /srv ',
      values: [row({ name: 'API_KEY', text: 's', isSecret: true }), row({ id: 1 })],
    });
    expect(readForm(form)).toEqual({
      ok: true,
      draft: {
        name: 'my-server',
        isNameDerived: true,
        kind: 'stdio',
        command: 'npx',
        args: ['-y', '@me/my server', '--x'],
        cwd: '/srv',
        env: [
          { name: 'MODE', text: 'fast' },
          { name: 'API_KEY', text: 's', secret: true },
        ],
      },
    });
  });

  test('is named after what it runs unless the user names it', () => {
    const nameOf = (form: CommandForm) => {
      const read = readForm(form);
      return read.ok ? read.draft.name : read.problems;
    };
    expect(nameOf(command({ line: 'node /srv/my-app/server.js' }))).toBe('server');
    expect(nameOf(command({ line: '/opt/bin/thing --stdio' }))).toBe('thing');
    expect(nameOf(command({ name: ' mine ' }))).toBe('mine');
  });

  test('says what is missing, where it is missing', () => {
    expect(readForm(command({ line: ' ' }))).toMatchObject({
      problems: { line: expect.stringContaining('Type the command') },
    });
    expect(readForm(command({ line: 'node "a' }))).toMatchObject({
      problems: { line: expect.stringContaining('not closed') },
    });
    expect(readForm(command({ values: [row({ text: 'x' })] }))).toMatchObject({
      problems: { values: 'A variable has a value and no name.' },
    });
    expect(readForm(command({ line: 'A=1 node', values: [row({ name: 'A' })] }))).toMatchObject({
      problems: { values: 'The variable A is there twice.' },
    });
  });

  test('comes back into its form; a stored secret stays as long as nothing is typed over it', () => {
    const entry: EntryView = {
      ...base,
      name: 'a',
      kind: 'stdio',
      command: 'node',
      args: ['a b.js', ''],
      env: [
        { name: 'TOKEN', secret: true, reads: [] },
        { name: 'X', text: '1', reads: [] },
      ],
    };
    const form = toForm(entry);
    expect(form).toMatchObject({ line: `node 'a b.js' ''`, name: 'a' });
    expect(readForm(form)).toMatchObject({
      draft: {
        args: ['a b.js', ''],
        env: [
          { name: 'TOKEN', secret: true },
          { name: 'X', text: '1' },
        ],
      },
    });
    const [stored, ...rest] = form.values;
    if (!stored) throw new Error('There is no row.');
    const typed = { ...form, values: [{ ...stored, text: 'new' }, ...rest] };
    expect(readForm(typed)).toMatchObject({
      draft: { env: [{ name: 'TOKEN', text: 'new', secret: true }, expect.anything()] },
    });
  });
});

describe('a typed address', () => {
  test('becomes an address with headers; the token is one of them, and a secret', () => {
    const form = address({ bearer: 'abc', transport: 'sse', values: [row({ name: 'X-Team', text: 'red' })] });
    expect(readForm(form)).toEqual({
      ok: true,
      draft: {
        name: 'x.example',
        isNameDerived: true,
        kind: 'http',
        url: 'https://x.example/mcp',
        transport: 'sse',
        headers: [
          { name: 'X-Team', text: 'red' },
          { name: 'Authorization', text: 'Bearer abc', secret: true },
        ],
      },
    });
  });

  test('a new token takes the place of the stored one, not of a header that was typed', () => {
    const stored = row({ name: 'authorization', isSecret: true, isStored: true });
    expect(readForm(address({ bearer: 'b', values: [stored] }))).toMatchObject({
      draft: { headers: [{ text: 'Bearer b' }] },
    });
    const typed = row({ name: 'authorization', text: 'Basic x' });
    expect(readForm(address({ bearer: 'b', values: [typed] }))).toMatchObject({
      problems: { bearer: expect.stringContaining('only one') },
    });
  });

  test.each([
    ['', 'Type the address'],
    ['x.example', 'not an address'],
    ['file:///etc', 'Only http'],
    ['https://a:b@x.example/', 'user name or password'],
  ])('%s is refused', (url, why) => {
    expect(readForm(address({ url }))).toMatchObject({ problems: { url: expect.stringContaining(why) } });
  });
});
