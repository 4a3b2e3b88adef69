/** Nodes: signs of life, leases, and wake-up calls between them. */
@NullMarked
package dev.postrider.postgres.cluster;

import org.jspecify.annotations.NullMarked;
