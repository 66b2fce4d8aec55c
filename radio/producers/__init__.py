"""What writes scripts: one kind a module, and what keeps them clean and in pace."""
