/** Listens on the given port, or on a free port if that port is taken. Returns the server's URL. */
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
