type Values = Readonly<Record<string, unknown>>;

/** What a message of the host tells about the tool, under the names both older families use; nothing for other messages. */
export const toToolFacts = (method: string, params: Values): Values => {
  if (method === 'ui/notifications/tool-input' || method === 'ui/notifications/tool-input-partial')
    return { toolInput: params['arguments'] ?? null };
  if (method === 'ui/notifications/tool-result')
    return {
      toolOutput: params['structuredContent'] ?? null,
      toolResponseMetadata: params['_meta'] ?? null,
    };
  return {};
};
