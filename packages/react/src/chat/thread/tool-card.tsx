import { toToolName } from '../core/items-of-calls.js';
import type { ToolPart } from '../core/parts.js';

/** A tool call as people see it: whose tool, with what, and what came of it (S1-24). */
export const ToolCard = ({ part }: { readonly part: ToolPart }) => (
  <section className="casement-tool" data-state={part.state} aria-label={`Tool ${toToolName(part)}`}>
    <header>
      <b>{toToolName(part)}</b> <span>{part.source.server}</span>
    </header>
  </section>
);
