"""For the operator: what is in a store, its identity, trimming, copying."""
