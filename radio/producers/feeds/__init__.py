"""RSS and Atom feeds: fetched, parsed in a process of their own, and told item by item."""
