import type { AppSnapshot } from '@casement/host';
import { JsonText } from '../../parts/json-text.js';
import { Section } from '../../parts/section.js';

/** What the model would be told of the app at the next turn, as the app said it last. */
export const ModelContextView = ({
  snapshot,
  updates,
  hasModel,
}: {
  snapshot: AppSnapshot;
  updates: number;
  hasModel: boolean;
}) => {
  const { modelContext } = snapshot;
  const reader = hasModel
    ? 'The model reads this with the user’s next message.'
    : 'No model reads this here; open Chat, where one reads it with the user’s next message.';
  const count = updates === 0 ? '' : ` (${updates} ${updates === 1 ? 'update' : 'updates'})`;
  return (
    <Section
      title="Model context"
      note={`${reader} Each ui/update-model-context replaces it whole; the Model tab shows the whole request.`}
    >
      {modelContext ? (
        <JsonText value={modelContext} name={`Context in force${count}`} />
      ) : (
        <p>{updates > 0 ? `Cleared by the app${count}.` : 'The app has not given any.'}</p>
      )}
    </Section>
  );
};
