/**
 * A day of very many accounts on several databases, in virtual time. The paces, and the arithmetic
 * of their buckets, are the product's own; accounts, traffic, databases and faults are a model.
 */
@NullMarked
package dev.postrider.bench.scale;

import org.jspecify.annotations.NullMarked;
