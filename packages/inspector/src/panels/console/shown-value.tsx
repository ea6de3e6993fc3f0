import type { ShownValue } from '@casement/protocol';
import { toPrintable } from '@casement/protocol/basics';
import { useState } from 'react';

const maxText = 2_000;
const maxMembers = 200;
/** Of a value in a value only its head is shown until it is opened. */
const maxDepth = 12;

/** The beginning of an object's members, so that small ones need not be opened. */
const toPreview = ({ type, members = [], more = 0 }: ShownValue): string => {
  const isList = type === 'array';
  const parts = members.slice(0, 5).map(([name, member]) => {
    const text = toHead(member, 40);
    return isList && /^\d+$/.test(name) ? text : `${toPrintable(name, 40)}: ${text}`;
  });
  if (members.length + more > parts.length) parts.push('…');
  return isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
};

/** What a value is called on one line. */
const toHead = ({ type, text, more }: ShownValue, room: number): string => {
  if (type === 'getter') return '(computed when it is read)';
  const cut = toPrintable(text, room, { lines: 'keep' });
  if (type !== 'string') return cut;
  return `"${cut}"${more === undefined ? '' : ` … ${more} more characters`}`;
};

/** The value on one line; text that was logged stands for itself, as in every console. */
const toLine = (value: ShownValue, isMember: boolean): string => {
  if (value.members) return `${toPrintable(value.text, 120)} ${toPreview(value)}`;
  if (isMember || value.type !== 'string') return toHead(value, isMember ? 300 : maxText);
  const rest = value.more === undefined ? '' : ` … ${value.more} more characters`;
  return toPrintable(value.text, maxText, { lines: 'keep' }) + rest;
};

const Members = ({ value, depth }: { value: ShownValue; depth: number }) => {
  const members = value.members ?? [];
  const shown = members.slice(0, maxMembers);
  const rest = members.length - shown.length + (value.more ?? 0);
  return (
    <ul className="value-members">
      {shown.map(([name, member], index) => (
        <li key={index}>
          <ShownValueView value={member} name={name} depth={depth + 1} />
        </li>
      ))}
      {rest > 0 && <li className="quiet">and {rest} more</li>}
    </ul>
  );
};

/** A value as a console shows it: one with members opens by a button, and reading it runs no code of the app. */
export const ShownValueView = ({
  value,
  name,
  depth = 0,
}: {
  value: ShownValue;
  name?: string;
  depth?: number;
}) => {
  const [isOpen, setOpen] = useState(false);
  const line = (
    <>
      {name !== undefined && <span className="value-name">{toPrintable(name, 120)}: </span>}
      <span data-type={value.type}>{toLine(value, name !== undefined)}</span>
    </>
  );
  if ((value.members?.length ?? 0) === 0 || depth >= maxDepth) return <div className="value">{line}</div>;
  return (
    <div className="value">
      <button type="button" className="value-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {line}
      </button>
      {isOpen && <Members value={value} depth={depth} />}
    </div>
  );
};
