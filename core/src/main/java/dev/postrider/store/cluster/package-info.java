/**
 * What a store that several nodes share offers besides: leases on accounts, and a view of all
 * nodes.
 */
@NullMarked
package dev.postrider.store.cluster;

import org.jspecify.annotations.NullMarked;
