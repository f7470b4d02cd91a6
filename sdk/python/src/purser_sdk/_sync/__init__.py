# Generated from `_async` by `npm run generate`. Do not edit.
"""The client. Several threads can use it. `npm run generate` makes `_sync` from this folder."""
