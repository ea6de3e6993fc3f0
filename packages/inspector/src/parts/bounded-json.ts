import { toPrintable } from '@casement/protocol/basics';
import { isRecord } from '@casement/protocol/start';

/** A value as indented JSON that stops once it is `limit` characters long, however large the value is. */
export const toBoundedJson = (value: unknown, limit: number): { text: string; cut: boolean } => {
  const parts: string[] = [];
  let length = 0;
  const seen = new Set<unknown>();

  const put = (text: string): boolean => {
    parts.push(text.slice(0, limit - length + 1));
    length += text.length;
    return length <= limit;
  };

  const putMembers = (
    brackets: readonly [string, string],
    members: Iterable<readonly [string, unknown]>,
    indent: string,
  ): boolean => {
    let first = true;
    for (const [label, member] of members) {
      if (!put(`${first ? brackets[0] : ','}\n${indent}  ${label}`) || !write(member, `${indent}  `))
        return false;
      first = false;
    }
    return put(first ? brackets.join('') : `\n${indent}${brackets[1]}`);
  };

  const write = (current: unknown, indent: string): boolean => {
    if (typeof current === 'string')
      return put(JSON.stringify(current.length > limit ? current.slice(0, limit) : current));
    if (!Array.isArray(current) && !isRecord(current)) return put(JSON.stringify(current) ?? 'null');
    if (seen.has(current)) return put('"(contains itself)"');
    seen.add(current);
    const more = Array.isArray(current)
      ? putMembers(['[', ']'], toItems(current), indent)
      : putMembers(['{', '}'], toEntries(current), indent);
    seen.delete(current);
    return more;
  };

  const whole = write(value, '');
  return { text: parts.join('').slice(0, limit), cut: !whole };
};

function* toItems(list: readonly unknown[]): Generator<readonly [string, unknown]> {
  for (const item of list) yield ['', item];
}

function* toEntries(record: Record<string, unknown>): Generator<readonly [string, unknown]> {
  for (const name in record)
    if (Object.hasOwn(record, name) && record[name] !== undefined)
      yield [`${JSON.stringify(name)}: `, record[name]];
}

/** A value as indented JSON of at most about `limit` characters, safe to read. */
export const toPrintableJson = (value: unknown, limit = 20_000): string => {
  const { text, cut } = toBoundedJson(value, limit);
  return toPrintable(text, Infinity, { lines: 'keep' }) + (cut ? '…' : '');
};
