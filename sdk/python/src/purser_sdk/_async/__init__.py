"""The client for asyncio. `npm run generate` makes `_sync` from this folder."""
