package dev.postrider.store.message;

/**
 * The right to work an account. Every write made under it carries it; a store refuses the ones that
 * carry a lease somebody else has taken since.
 *
 * @param fence grows with every taking
 */
public record Lease(String account, long fence) {}
