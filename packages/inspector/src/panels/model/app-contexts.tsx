import { toPrintable } from '@casement/protocol/basics';
import { JsonText } from '../../parts/json-text.js';
import { Section } from '../../parts/section.js';
import type { ContextRow } from './model-facts.js';

const toWho = ({ app }: ContextRow): string =>
  toPrintable([app.name ?? app.id, app.version ?? ''].join(' ').trim(), 80);

const ContextItem = ({ row }: { row: ContextRow }) => {
  const { app, context, isPending } = row;
  return (
    <li className="model-context">
      <h4>
        {toWho(row)}
        <span className="badge" data-kind="app">
          app
        </span>
        <span className="badge plain">{isPending ? 'with the next message' : 'told already'}</span>
      </h4>
      <p className="panel-note">
        Of server <code>{toPrintable(app.server, 80)}</code>
        {app.toolCallId !== undefined && (
          <>
            , shown for the call <code>{toPrintable(app.toolCallId, 80)}</code>
          </>
        )}
      </p>
      {context ? (
        <JsonText value={context} name={`Context of ${toWho(row)}`} />
      ) : (
        <p>The app took back what it had given.</p>
      )}
    </li>
  );
};

/** What apps gave the model to know, each with who gave it. */
export const AppContexts = ({ rows }: { rows: readonly ContextRow[] }) => (
  <Section
    title={`Context of apps (${rows.length})`}
    note="Of each app the last ui/update-model-context counts. It stands before the user’s words, marked as the app’s."
  >
    {rows.length === 0 ? (
      <p className="panel-note">No app has given any.</p>
    ) : (
      <ul className="model-list">
        {rows.map((row) => (
          <ContextItem key={row.app.id} row={row} />
        ))}
      </ul>
    )}
  </Section>
);
