import type { ReactNode } from 'react';
import { useId } from 'react';

/** A part of a panel under its own heading. */
export const Section = ({ title, note, children }: { title: string; note?: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section className="panel-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {note !== undefined && <p className="panel-note">{note}</p>}
      {children}
    </section>
  );
};

/** One row of a list of facts. */
export type Fact = readonly [name: string, value: ReactNode];

/** Names and values. */
export const Facts = ({ rows }: { rows: readonly Fact[] }) => (
  <dl className="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
