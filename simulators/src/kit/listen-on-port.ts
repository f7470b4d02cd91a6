/**
 * Has the server listen on the wanted port, or on a free one if it cannot: when another program has taken the port, say.
 * Returns the address.
 */
export async function listenOnPort(
  server: { listen(options: { host: string; port: number }): Promise<string> },
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    if (port === 0) throw error;
    return await server.listen({ host, port: 0 });
  }
}
