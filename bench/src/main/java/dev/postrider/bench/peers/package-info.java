/**
 * Postrider and the queues of others at the same work, on one machine and in one run. Each does its
 * work in a process of its own and by turns. May use everything of Postrider; nothing uses it.
 */
@org.jspecify.annotations.NullMarked
package dev.postrider.bench.peers;
