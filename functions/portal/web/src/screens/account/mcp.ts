/** What an MCP client's configuration holds to reach this instance. */
export function mcpSnippet(token: string, origin: string): string {
  const server = { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { svc: server } }, null, 2);
}
