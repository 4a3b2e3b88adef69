/**
 * The crash harness: a real server process under load against a platform with faults, killed with
 * SIGKILL at random moments; and the cluster harness: three of them on one PostgreSQL, and
 * everything that can befall them. What is true is what the platform saw.
 */
@NullMarked
package dev.postrider.testkit.internal.crash;

import org.jspecify.annotations.NullMarked;
