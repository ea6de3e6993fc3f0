import type { EntryView, ValueView } from '@casement/gateway';
import type { ReactNode } from 'react';
import { useMemo, useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { Facts, type Fact } from '../parts/section.js';
import { firstShown, toAddressParts, toExactPieces } from './exact-text.js';

/** A text as it will be used; of a long one the beginning, and all of it on demand. */
const Exact = ({ text, name }: { readonly text: string; readonly name: string }) => {
  const [isAll, setAll] = useState(false);
  const isCut = !isAll && text.length > firstShown;
  const pieces = useMemo(() => toExactPieces(isCut ? text.slice(0, firstShown) : text), [text, isCut]);
  const label = `Show all ${text.length.toLocaleString('en')} characters`;
  if (text === '') return <em className="quiet">empty</em>;
  return (
    <>
      <code className="exact" data-cut={isCut || undefined}>
        {pieces.length < 2 ? pieces : pieces.map((piece, index) => <span key={index}>{piece}</span>)}
        {isCut && '…'}
      </code>
      {isCut && (
        <button
          type="button"
          className="small"
          onClick={() => setAll(true)}
          aria-label={`${label} of ${name}`}
        >
          {label}
        </button>
      )}
    </>
  );
};

/** What an entry that was not handed in yet may leave out. */
type ShownValue = Pick<ValueView, 'name' | 'text' | 'secret' | 'marked'> & Partial<Pick<ValueView, 'reads'>>;

/** An entry, or what is to become one, with all that runs or is sent. */
export type ShownEntry = { reads?: ValueView['reads'] } & (
  | { kind: 'stdio'; command: string; args: readonly string[]; cwd?: string; env?: readonly ShownValue[] }
  | { kind: 'http'; url: string; transport?: 'sse'; headers?: readonly ShownValue[] }
);

const Reads = ({ reads = [], isSent }: { reads: ValueView['reads'] | undefined; isSent: boolean }) => (
  <>
    {reads.map(({ from, name }) => (
      <span key={`${from} ${name}`} className="reads">
        {from === 'env' ? 'Reads the variable ' : 'Uses your answer to '}
        <Exact text={name} name={`the name ${toPrintable(name, 40)}`} />
        {isSent && (from === 'env' ? ' of your environment and sends it there.' : ' and sends it there.')}
        {!isSent && (from === 'env' ? ' of your environment.' : '.')}
      </span>
    ))}
  </>
);

const Values = ({ values, isSent }: { readonly values: readonly ShownValue[]; readonly isSent: boolean }) => (
  <ul className="exact-values">
    {values.map(({ name, text, secret, reads, marked }) => (
      <li key={name} data-marked={marked !== undefined || undefined}>
        <Exact text={name} name="this name" />
        <span className="value">
          {text === undefined ? (
            <em className="quiet">{secret ? 'a secret: stored apart, not shown' : 'nothing'}</em>
          ) : (
            <Exact text={text} name={`the value of ${toPrintable(name, 40)}`} />
          )}
        </span>
        <Reads reads={reads} isSent={isSent} />
        {marked !== undefined && <span className="marked">{marked}</span>}
      </li>
    ))}
  </ul>
);

const Address = ({ url }: { readonly url: string }) => {
  const parts = toAddressParts(url);
  if (!parts) return <Exact text={url} name="the address" />;
  return (
    <>
      <span className="address">
        <code className="exact">
          {parts.before}
          <strong>{parts.host}</strong>
        </code>
        {parts.after !== '' && <Exact text={parts.after} name="the path" />}
      </span>
      {parts.isRewritten && (
        <span className="reads">
          Written as <Exact text={url} name="the address as it is written" />
        </span>
      )}
    </>
  );
};

/** What the command or the address itself is filled with. */
const toReadRows = ({ kind, reads = [] }: ShownEntry): Fact[] =>
  reads.length === 0 ? [] : [['Filled in', <Reads key="reads" reads={reads} isSent={kind === 'http'} />]];

const toRows = (entry: ShownEntry, isLine: boolean): Fact[] => {
  if (entry.kind === 'http') {
    const { headers = [] } = entry;
    return [
      ['Address', <Address key="address" url={entry.url} />],
      ...toReadRows(entry),
      ...(entry.transport === 'sse' ? [['Transport', 'HTTP+SSE'] as const] : []),
      [
        `Headers (${headers.length})`,
        headers.length > 0 ? (
          <Values values={headers} isSent />
        ) : (
          toNone('none besides those of the protocol')
        ),
      ],
    ];
  }
  const { env = [], args } = entry;
  return [
    ['Program', <Exact key="program" text={entry.command} name="the program" />],
    [
      `Arguments (${args.length})`,
      args.length > 0 ? (
        <ol className="exact-list">
          {args.map((argument, index) => (
            <li key={index}>
              <Exact text={argument} name={`argument ${index + 1}`} />
            </li>
          ))}
        </ol>
      ) : (
        toNone('none')
      ),
    ],
    ...(isLine
      ? []
      : [
          [
            'Folder',
            entry.cwd === undefined ? (
              toNone('the one casement was started in')
            ) : (
              <Exact key="cwd" text={entry.cwd} name="the folder" />
            ),
          ] as const,
        ]),
    ...toReadRows(entry),
    ...(isLine && env.length === 0
      ? []
      : [
          [
            `Variables (${env.length})`,
            env.length > 0 ? <Values values={env} isSent={false} /> : toNone('none of its own'),
          ] as const,
        ]),
  ];
};

const toNone = (words: string): ReactNode => <span className="quiet">{words}</span>;

/** Everything that would run or be sent, each part by itself; of a typed line what stands in it. */
export const ExactEntry = ({
  entry,
  isLine = false,
}: {
  readonly entry: ShownEntry;
  readonly isLine?: boolean;
}) => (
  <div className="exact-entry">
    <Facts rows={toRows(entry, isLine)} />
  </div>
);

/** Where an entry comes from. */
export const toOrigin = ({ source, file }: EntryView): string => {
  if (source === 'file') return file === undefined ? 'a config file' : `the file ${file}`;
  return source === 'kept' ? 'this page' : 'your command line';
};
