/**
 * Has the server listen on the wanted port, or on a free one if another program has taken the port. Returns the address.
 */
export async function listenOnPort(
  server: { listen(options: { host: string; port: number }): Promise<string> },
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    return await server.listen({ host, port: 0 });
  }
}
