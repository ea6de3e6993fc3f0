import type { AppSnapshot } from '@casement/host';
import { toOpenaiMethods } from '@casement/sandbox';
import { Facts, Section } from '../parts/section.js';

/** What a widget finds in window.openai with this host, and what it does not: withheld methods are undefined. */
export const WidgetMethods = ({ snapshot }: { snapshot: AppSnapshot }) => {
  const { resource, hostCapabilities, hostContext } = snapshot;
  if (resource?.family !== 'openai' || !hostCapabilities) return null;
  const { offered, withheld } = toOpenaiMethods({ hostCapabilities, hostContext });
  return (
    <Section
      title="window.openai"
      note="Widgets look before they call: what this host does not offer is undefined there."
    >
      <Facts
        rows={[
          ['Offered', <code key="offered">{offered.join(', ')}</code>],
          ['Withheld', <code key="withheld">{withheld.join(', ')}</code>],
        ]}
      />
    </Section>
  );
};
