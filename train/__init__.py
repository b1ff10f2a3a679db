"""How an agent learns."""
