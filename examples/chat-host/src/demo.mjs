import { parseMcpAppItem } from '@casement/chat';
import { demoItems } from './demo-items.mjs';

// #region add
/** Shows items that the page, or whoever writes its messages, made up. */
export const showDemo = (conversation) => {
  for (const value of demoItems) {
    const parsed = parseMcpAppItem(value);
    if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join(' '));
    conversation.addItem(parsed.item);
  }
};
// #endregion
