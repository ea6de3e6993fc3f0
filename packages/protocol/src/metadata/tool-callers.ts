import { readOwn } from '../is-record.js';
import { readMetaBags, type AppFamily } from './metadata.js';
import { isToolVisibleTo } from './tool-metadata.js';

/** Whether an app of a family may call a tool: in the OpenAI family silence means no, elsewhere it means yes. */
export const isToolCallableBy = (tool: unknown, caller: AppFamily): boolean => {
  if (!isToolVisibleTo(tool, 'app')) return false;
  if (caller !== 'openai') return true;
  return readMetaBags(tool, []).some(
    ({ values }) =>
      readOwn(readOwn(values, 'ui'), 'visibility') !== undefined ||
      readOwn(values, 'openai/widgetAccessible') === true,
  );
};
