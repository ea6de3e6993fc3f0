import type { ConversationState, OfferedTool } from '@casement/chat';
import { useState } from 'react';
import { toPrintable } from '@casement/protocol/basics';
import { Disclosure } from '../../parts/disclosure.js';
import { JsonText } from '../../parts/json-text.js';
import { Section } from '../../parts/section.js';
import { findClash, toSourceText, type HiddenTool, type ToolClash } from './model-facts.js';

const firstShown = 40;

const ToolItem = ({ offered, clash }: { offered: OfferedTool; clash: ToolClash | undefined }) => {
  const { name, tool, source } = offered;
  return (
    <li className="model-tool" data-kind={source.kind}>
      <h4>
        <code>{toPrintable(name, 80)}</code>
        <span className="badge" data-kind={source.kind}>
          {toPrintable(toSourceText(source), 120)}
        </span>
      </h4>
      {clash && (
        <p className="model-clash">
          {clash.offered.length} tools are called <code>{toPrintable(clash.tool, 80)}</code>: this is the one
          of {toPrintable(toSourceText(source), 120)}.
        </p>
      )}
      {tool.description !== undefined && <p>{toPrintable(tool.description, 600)}</p>}
      <Disclosure title="Schema">
        <JsonText value={tool.inputSchema} name={`Schema of ${toPrintable(name, 60)}`} />
      </Disclosure>
    </li>
  );
};

/** The tools the model is offered, after visibility, each with where it comes from (HOST-021, HOST-096). */
export const OfferedTools = ({
  tools,
  clashes,
}: {
  tools: readonly OfferedTool[];
  clashes: readonly ToolClash[];
}) => {
  const [isWhole, setWhole] = useState(false);
  // The few that come and go with their apps must not be lost below the many.
  const ordered = [...tools].sort((a, b) => a.source.kind.localeCompare(b.source.kind));
  const shown = isWhole ? ordered : ordered.slice(0, firstShown);
  return (
    <Section
      title={`Tools on offer (${tools.length})`}
      {...(clashes.length === 0
        ? {}
        : {
            note: `${clashes.length} ${clashes.length === 1 ? 'name is' : 'names are'} used more than once.`,
          })}
    >
      {tools.length === 0 ? (
        <p className="panel-note">None.</p>
      ) : (
        <ul className="model-list">
          {shown.map((offered) => (
            <ToolItem key={offered.name} offered={offered} clash={findClash(offered.name, clashes)} />
          ))}
        </ul>
      )}
      {shown.length < tools.length && (
        <button type="button" className="small-button model-more" onClick={() => setWhole(true)}>
          Show all {tools.length}
        </button>
      )}
    </Section>
  );
};

/** What the servers have and the model does not get, with the reason. */
export const LeftOut = ({
  hidden,
  problems,
}: {
  hidden: readonly HiddenTool[];
  problems: ConversationState['problems'];
}) =>
  hidden.length + problems.length === 0 ? null : (
    <Section title={`Left out (${hidden.length + problems.length})`}>
      <ul className="model-left-out">
        {problems.map(({ server, code, message, hint }) => (
          <li key={server}>
            Every tool of <strong>{toPrintable(server, 80)}</strong>: {toPrintable(message, 300)}{' '}
            {hint !== undefined && toPrintable(hint, 200)} <code>{code}</code>
          </li>
        ))}
        {hidden.map(({ server, name, isForApps }) => (
          <li key={`${server} ${name}`}>
            <code>{toPrintable(name, 80)}</code> of {toPrintable(server, 80)}:{' '}
            {isForApps ? 'for apps alone' : 'for nobody'}, says its visibility.
          </li>
        ))}
      </ul>
    </Section>
  );
